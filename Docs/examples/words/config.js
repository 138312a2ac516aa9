// The hub, and the keys of the app there; `eightbells app create` prints them. None of these is a secret.
export const app = {
  hub: 'http://127.0.0.1:8080',
  key: '',
  applicationId: '',
  restKey: '',
};
