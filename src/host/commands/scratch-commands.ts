// Commands on the active playground, on scratches, on the history, on custom providers and on the guide. Bundled as a chunk that
// is loaded when one of them is first used.
export { clearHistory } from './clear-history';
export { evaluatePlayground } from './evaluate-playground';
export { loadCustomProviders } from './load-custom-providers';
export { newPlayground } from './new-playground';
export { openExample } from './open-example';
export { openGuide } from './open-guide';
export { openScratch } from './open-scratch';
export { addLane, exportLanes, runAgent, runPlayground, stopRuns, toggleInspector } from './panel-commands';
export { renamePlayground } from './rename-playground';
export { copyTerminalCommand, evaluateInTerminal } from './terminal-commands';
export { useEditorModels } from './use-editor-models';
export { duplicatePlayground, openAsText, saveAsPlaygroundFile } from './playground-files';
