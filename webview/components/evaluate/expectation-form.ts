// What the parts of the editor of an expectation draw with. Draws nothing.
import type { TemplateResult } from 'lit';
import type { Expectation } from '../../../src/types';
import type { PanelState } from '../../state/panel-state';
import type { TypedJson } from '../../tools/json-field';
import type { Choice } from '../controls/select-box';

export interface FieldOptions {
  /** Names the field among those of the expectation. */
  key: string;
  label: string;
  /** The value of the document, as it is typed. */
  text: string;
  parse: (text: string) => TypedJson;
  save: (value: unknown) => void;
  className?: string;
  placeholder?: string;
}

/** What the parts of the editor draw with. */
export interface ExpectationForm {
  expectation: Expectation;
  state: PanelState;
  isFixed: boolean;
  /** Sets a key of the expectation, or removes it. */
  set: <Key extends keyof Expectation>(key: Key, value: Expectation[Key] | undefined) => void;
  field: (options: FieldOptions) => TemplateResult;
  choice: (
    label: string,
    value: string,
    choices: readonly Choice[],
    onChoose: (id: string) => void,
  ) => TemplateResult;
}
