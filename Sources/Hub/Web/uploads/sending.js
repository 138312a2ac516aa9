// One request with progress, which fetch does not report for what is sent.

const SILENT = 120_000; // milliseconds without progress after which a request is given up: it may wait in line

/** {method, url, headers, body, onprogress, signal}: resolved with {status, header(name), json()}. */
export function send({ method, url, headers, body, onprogress = () => {}, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), SILENT);
    };
    const failed = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      reject(signal?.aborted ? new DOMException('given up', 'AbortError') : new TypeError('the hub was not reached'));
    };
    const stop = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      alive();
      onprogress(loaded);
    };
    request.onload = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        json: async () => { try { return JSON.parse(request.responseText); } catch { return undefined; } },
      });
    };
    request.onerror = failed;
    request.onabort = failed;
    if (signal?.aborted) return failed();
    signal?.addEventListener('abort', stop);
    alive();
    return request.send(body);
  });
}
