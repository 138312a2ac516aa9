// Makes files of the stream of a camera or a microphone.

/** True if this page may record: not over plain HTTP. */
export const canRecord = () => Boolean(globalThis.isSecureContext && globalThis.MediaRecorder
  && navigator.mediaDevices?.getUserMedia);

/**
 * A recording of a stream under way: {file, stop()}; `file` is resolved when it ends, at the latest after `longest`
 * seconds. The first of `types` that the browser can write is taken; `onleft` is told the seconds left.
 */
export function record(stream, { types, longest, name, ...rates }, onleft) {
  const mimeType = types.find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stream, { mimeType, ...rates });
  const parts = [];
  let left = longest;
  const stop = () => { if (recorder.state !== 'inactive') recorder.stop(); };
  const timer = setInterval(() => {
    left -= 1;
    onleft(left);
    if (left <= 0) stop();
  }, 1_000);
  const file = new Promise((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onerror = ({ error }) => {
      clearInterval(timer);
      reject(error);
    };
    recorder.onstop = () => {
      clearInterval(timer);
      const type = recorder.mimeType.split(';')[0];
      resolve(new File(parts, `${name}.${type.split('/')[1]}`, { type }));
    };
  });
  onleft(left);
  recorder.start();
  return { file, stop };
}
