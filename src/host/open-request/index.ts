// What is opened from elsewhere: requests and recorded sessions. Bundled as a chunk that is loaded when one of them is first used.
export { openRecorded, openRequest } from './open-request';
export { replayRecordedSession, replayRecording } from './replay-session';
