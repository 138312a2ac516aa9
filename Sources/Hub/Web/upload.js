// Sends a file to the hub as the one who is signed in, and tells how far it is: fetch cannot.

import { HubError } from '/keep.js';

/** Sends `file`; `onprogress` is told a share of 0 to 1. Answers what the hub says; throws HubError. */
export function upload(url, file, onprogress = () => {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
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
