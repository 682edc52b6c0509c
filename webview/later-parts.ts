// Parts that the first screen does not need: the contents of the inspector, the settings of a lane, the other
// views. They are bundled into a file of their own, which later.ts loads.
export { renderAttemptsTab } from './components/inspector/inspector-attempts';
export { renderCallsTab } from './components/inspector/inspector-calls';
export { renderReplyTab } from './components/inspector/reply/inspector-reply';
export { renderRescueTab } from './components/inspector/rescue/inspector-rescue';
export { renderPrompt, renderWireTab } from './components/inspector/inspector-wire';
export { openLab } from './lab/open-lab';
export { openRecording } from './recording/open-recording';
export { LATER_ELEMENTS } from './later-elements';
