// What the first screen does without: what the inspector shows, the settings of a lane, the views after the first. They
// are a file of their own, which later.ts loads.
export { renderAttemptsTab } from './components/inspector/inspector-attempts';
export { renderCallsTab } from './components/inspector/inspector-calls';
export { renderReplyTab } from './components/inspector/inspector-reply';
export { renderRescueTab } from './components/inspector/inspector-rescue';
export { renderWireTab } from './components/inspector/inspector-wire';
export { openLab } from './lab/open-lab';
export { LATER_ELEMENTS } from './later-elements';
