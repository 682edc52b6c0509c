// Parts that the first screen does not need: the contents of the inspector, the settings of a lane, the other
// views. They are bundled into a file of their own, which later.ts loads.
export { renderPrompt } from './components/inspector/inspector-wire';
export { renderRunTab } from './components/inspector/run-tab';
export { openLab } from './lab/open-lab';
export { openRecording } from './recording/open-recording';
export { LATER_ELEMENTS } from './later-elements';
