// The fields in which a person types what the document keeps: the message box, the fields of a lane or of the whole
// document, and those of a tool. Tells the fields apart by their keys. Pure.
import type { DocumentEdit } from '../../src/protocol';
import { documentText, fieldEdit, parseField } from '../lanes/lane-fields';
import { textBlocker } from '../lanes/run-blocker';
import type { PanelState } from '../state/panel-state';
import { MESSAGE_KEY } from '../state/view-state';
import { fieldEdits, toolScene } from '../tools/tool-edits';
import {
  findToolField,
  isToolKey,
  parseField as parseToolField,
  showField,
  toDraft,
} from '../tools/tool-fields';

/** Text of the message box: what was typed, otherwise the draft of the document. */
export const boxText = ({ view, session }: PanelState): string => view.draft ?? session.document?.draft ?? '';

/** The value of the document in the form in which it would be typed; undefined for a field that does not exist. */
export function storedText(state: PanelState, key: string): string | undefined {
  const { document } = state.session;
  if (key === MESSAGE_KEY) return document?.draft ?? '';
  if (!isToolKey(key)) return documentText(state, key);
  const found = findToolField(document?.tools ?? [], key);
  return found && showField(toDraft(found.tool), found.place);
}

/** @returns the value that a text stands for, or why it stands for none */
export function parseTyped(
  { session }: PanelState,
  key: string,
  text: string,
): { value?: unknown; problem?: string | undefined } {
  if (key === MESSAGE_KEY) return { value: text, problem: textBlocker(text) };
  if (!isToolKey(key)) return parseField(key, text);
  const found = findToolField(session.document?.tools ?? [], key);
  return found ? parseToolField(toDraft(found.tool), found.place, text) : {};
}

/** The edits that give a field of the document what is typed in it; none for a field that does not exist. */
export function typedEdits(state: PanelState, key: string, text: string): readonly DocumentEdit[] {
  const { document } = state.session;
  if (!isToolKey(key)) return [fieldEdit(state, key, parseField(key, text).value) ?? []].flat();
  const { tool, place } = findToolField(document?.tools ?? [], key) ?? {};
  const scene = tool && toolScene(document, tool.id, state.view.fields);
  return scene && place ? fieldEdits(scene, place) : [];
}
