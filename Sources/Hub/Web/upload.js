// Uploads a file to the hub as the signed-in person, with progress.

import { HubError } from '/keep.js';
import { send } from '/uploads/sending.js';

/** Uploads `file`; `onprogress` gets a share from 0 to 1. Returns the hub's answer; throws HubError. */
export async function upload(url, file, onprogress = () => {}, method = 'PUT') {
  const answer = await send({
    method, url, headers: {}, body: file, onprogress: (sent) => onprogress(file.size ? sent / file.size : 1),
  });
  const body = await answer.json();
  if (answer.status >= 200 && answer.status < 300) return body;
  throw new HubError(answer.status, body);
}
