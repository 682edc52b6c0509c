// Public face of replaying recorded sessions.
export type { RecordedConversation } from './recorded-conversations';
export { recordedConversations } from './recorded-conversations';
export type { ReplayLane, SessionReplay } from './replay-session';
export { replaySession } from './replay-session';
