// What is opened from elsewhere: requests and recorded sessions. Bundled as a chunk that is loaded when one of them is first used.
export { openRequest } from './open-request';
export { replayRecordedSession } from './replay-session';
