// What the parts of the tool editor share: the shown tool, and its fields from their text to their problem.
import { t } from '@vscode/l10n';
import type { TemplateResult } from 'lit';
import type { DocumentEdit } from '../../../src/protocol';
import type { Playground } from '../../playground';
import type { ToolScene } from '../../tools/tool-edits';
import { toolScene } from '../../tools/tool-edits';
import type { ToolDraft, ToolPlace } from '../../tools/tool-fields';
import { parseField, showField, toDraft, toolKey } from '../../tools/tool-fields';
import { toolActionsOf } from '../../tools/tool-actions';
import { canEdit } from '../../lanes/lane-queries';
import { spellMarks } from '../../text/text-marks';
import { cut } from '../controls/prose';
import { textArea, textField } from '../controls/controls';

const MAX_NAME = 60;

/** A name for accessible names of buttons, where hidden characters cannot be drawn as marks and are spelled out. */
export const shortName = (name: string): string =>
  spellMarks(cut(name, MAX_NAME)) || t('the tool without a name');

interface FieldOptions {
  label: string;
  placeholder?: string;
  className?: string;
  hint?: string | undefined;
  isDisabled?: boolean;
}

export class ToolForm {
  readonly playground: Playground;
  readonly scene: ToolScene;
  /** The tool as the document has it. */
  readonly stored: ToolDraft;
  /** Whether nothing can be changed here. */
  readonly isFixed: boolean;

  private constructor(playground: Playground, scene: ToolScene) {
    this.playground = playground;
    this.scene = scene;
    this.stored = toDraft(scene.tool);
    this.isFixed = !canEdit(playground.state.session);
  }

  /** @returns undefined when there is no such tool. */
  static of(playground: Playground, toolId: string): ToolForm | undefined {
    const { session, view } = playground.state;
    const scene = toolScene(session.document, toolId, view.fields);
    return scene && new ToolForm(playground, scene);
  }

  /** Name of the tool for accessible names of buttons. */
  get name(): string {
    return shortName(this.scene.tool.name);
  }

  get index(): number {
    return this.scene.tool.index;
  }

  act(toEdits: (scene: ToolScene) => readonly DocumentEdit[]): Promise<boolean> {
    return toolActionsOf(this.playground).act(this.scene.tool.id, toEdits);
  }

  /** The typed text, otherwise the document's; undefined for a field that does not exist. */
  textOf(place: ToolPlace): string | undefined {
    const shown = showField(this.stored, place);
    return shown === undefined ? undefined : (this.#typed(place) ?? shown);
  }

  problemOf(place: ToolPlace): string | undefined {
    const typed = this.#typed(place);
    return typed === undefined
      ? undefined
      : parseField(this.stored, place, typed).problem?.replaceAll('`', '"');
  }

  line(place: ToolPlace, options: FieldOptions): TemplateResult {
    return textField(this.#optionsOf(place, options));
  }

  area(place: ToolPlace, options: FieldOptions & { rows: number }): TemplateResult {
    return textArea({ ...this.#optionsOf(place, options), rows: options.rows });
  }

  #typed(place: ToolPlace): string | undefined {
    return this.playground.state.view.fields.get(toolKey(this.scene.tool, place));
  }

  #optionsOf(place: ToolPlace, options: FieldOptions): Parameters<typeof textField>[0] {
    const { fields } = this.playground;
    const key = toolKey(this.scene.tool, place);
    return {
      ...options,
      value: this.textOf(place) ?? '',
      problem: this.problemOf(place),
      isDisabled: this.isFixed || (options.isDisabled ?? false),
      onInput: (text) => fields.type(key, text),
      onLeave: () => fields.leave(key),
    };
  }
}
