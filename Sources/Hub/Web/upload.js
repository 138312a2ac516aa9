// Uploads a file to the hub as the signed-in person, with progress, which fetch does not report.

import { HubError } from '/keep.js';

/** Uploads `file`; `onprogress` gets a share from 0 to 1. Returns the hub's answer; throws HubError. */
export function upload(url, file, onprogress = () => {}, method = 'PUT') {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onprogress(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else reject(new HubError(request.status, request.response ?? undefined));
    };
    request.onerror = () => reject(new TypeError('The hub cannot be reached'));
    request.send(file);
  });
}
