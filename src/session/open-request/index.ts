// Public face of opening requests from elsewhere.
export { findRequests, MAX_SOURCE } from './find-requests';
export type { FoundReply, FoundRequest } from './found-request';
export { UnreadRequest } from './found-request';
export { keepReply } from './keep-reply';
export type { OpenedRequest } from './open-request';
export { openedText, openRequest } from './open-request';
export type { FoundKey } from './take-secrets';
