// What the first screen does without: what the inspector shows, the settings of a lane, the views after the first. They
// are a file of their own, which later.ts loads.
export { renderAttemptsTab } from './components/inspector-attempts';
export { renderCallsTab } from './components/inspector-calls';
export { renderReplyTab } from './components/inspector-reply';
export { renderRescueTab } from './components/inspector-rescue';
export { renderLaneSettings } from './components/lane-settings';
export { LATER_ELEMENTS } from './later-elements';
export { renderEmbeddings } from './components/embedding-panel';
