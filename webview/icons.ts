// The panel's icons: codicons, parsed once from their files into paths that lit draws. No markup is injected.
import { html, svg } from 'lit';
import type { TemplateResult } from 'lit';
import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowLeft from '@vscode/codicons/src/icons/arrow-left.svg';
import arrowRight from '@vscode/codicons/src/icons/arrow-right.svg';
import arrowUp from '@vscode/codicons/src/icons/arrow-up.svg';
import beaker from '@vscode/codicons/src/icons/beaker.svg';
import debugContinue from '@vscode/codicons/src/icons/debug-continue.svg';
import debugPause from '@vscode/codicons/src/icons/debug-pause.svg';
import debugStepOver from '@vscode/codicons/src/icons/debug-step-over.svg';
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import trash from '@vscode/codicons/src/icons/trash.svg';
import add from '@vscode/codicons/src/icons/add.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronLeft from '@vscode/codicons/src/icons/chevron-left.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import clearAll from '@vscode/codicons/src/icons/clear-all.svg';
import clockface from '@vscode/codicons/src/icons/clockface.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import exportIcon from '@vscode/codicons/src/icons/export.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import splitHorizontal from '@vscode/codicons/src/icons/split-horizontal.svg';
import record from '@vscode/codicons/src/icons/record.svg';
import code from '@vscode/codicons/src/icons/code.svg';
import layoutSidebarRight from '@vscode/codicons/src/icons/layout-sidebar-right.svg';
import layoutSidebarRightOff from '@vscode/codicons/src/icons/layout-sidebar-right-off.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import key from '@vscode/codicons/src/icons/key.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import play from '@vscode/codicons/src/icons/play.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import runAll from '@vscode/codicons/src/icons/run-all.svg';
import settings from '@vscode/codicons/src/icons/settings.svg';
import symbolMethod from '@vscode/codicons/src/icons/symbol-method.svg';
import table from '@vscode/codicons/src/icons/table.svg';
import target from '@vscode/codicons/src/icons/target.svg';
import vm from '@vscode/codicons/src/icons/vm.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';

const SOURCES = {
  add,
  answer: check,
  ask: symbolMethod,
  before: chevronLeft,
  broken: arrowDown,
  busy: loading,
  clear: clearAll,
  code,
  compare: diff,
  close,
  copy,
  down: chevronDown,
  edit,
  error,
  evaluate: beaker,
  export: exportIcon,
  failed: error,
  fixed: arrowUp,
  history,
  info,
  inspector: layoutSidebarRight,
  inspectorFolded: layoutSidebarRightOff,
  interrupted: debugPause,
  judgedFailed: close,
  judgedPassed: check,
  key,
  lanes: splitHorizontal,
  leftwards: arrowLeft,
  malformed: json,
  native: pass,
  more: ellipsis,
  next: debugContinue,
  none: circleSlash,
  noVerdict: question,
  paused: debugPause,
  place: vm,
  play,
  record,
  remove: trash,
  rescued: target,
  right: chevronRight,
  rightwards: arrowRight,
  rows: table,
  runAll,
  settings,
  step: debugStepOver,
  stop: debugStop,
  stopped: debugStop,
  tool: symbolMethod,
  wait: clockface,
  warning,
};
export type IconName = keyof typeof SOURCES;

const templates = new Map<IconName, TemplateResult>();

/** Hidden from screen readers, because the word beside it says the same. */
export function icon(name: IconName, className = ''): TemplateResult {
  const paths = templates.get(name) ?? parse(name);
  return html`<svg class="i ${className}" viewBox="0 0 16 16" aria-hidden="true">${paths}</svg>`;
}

function parse(name: IconName): TemplateResult {
  const parsed = new DOMParser().parseFromString(SOURCES[name], 'image/svg+xml');
  const paths = [...parsed.querySelectorAll('path')].map(
    (path) =>
      svg`<path d=${path.getAttribute('d') ?? ''} fill-rule=${path.getAttribute('fill-rule') ?? 'nonzero'}></path>`,
  );
  const template = svg`${paths}`;
  templates.set(name, template);
  return template;
}
