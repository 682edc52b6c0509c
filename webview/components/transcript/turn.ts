// One turn of a conversation: a message, or a run and what came of it. It is drawn anew only when something of its own
// changes: its entry, or what the person does with it.
import type { TemplateResult } from 'lit';
import type { LaneEntry } from '../../../src/protocol';
import type { Playground } from '../../playground';
import type { MessageEdit, ResultDrafts, Selection } from '../../view-state';
import { PanelElement } from '../controls/panel-element';
import { renderMessageTurn } from './message-turn';
import { renderModelTurn } from './model-turn';

export class Turn extends PanelElement {
  static override properties = {
    playground: { attribute: false },
    laneId: { attribute: false },
    entry: { attribute: false },
    selected: { attribute: false },
    edit: { attribute: false },
    drafts: { attribute: false },
    isLast: { type: Boolean },
    isLive: { type: Boolean },
    isLocked: { type: Boolean },
    isPaused: { type: Boolean },
    primaryCall: { attribute: false },
    toolNames: { attribute: false },
  };
  declare playground: Playground;
  declare laneId: string;
  declare entry: LaneEntry;
  /** What is selected of it. */
  declare selected: Selection | undefined;
  /** When it is being changed. */
  declare edit: MessageEdit | undefined;
  /** Results of its calls that are being written. */
  declare drafts: ResultDrafts | undefined;
  declare isLast: boolean;
  /** Its run is under way. */
  declare isLive: boolean;
  /** Nothing can be run from it now; only the last one is told. */
  declare isLocked: boolean;
  /** The agent run of its lane waits between two steps; only told where a result is being written. */
  declare isPaused: boolean;
  /** The call whose result is the next step of the panel. */
  declare primaryCall: number | undefined;
  /** All tools of the document, one a line. */
  declare toolNames: string;

  override render(): TemplateResult {
    const { entry } = this;
    this.dataset['entry'] = entry.id;
    return entry.kind === 'message' ? renderMessageTurn(this, entry) : renderModelTurn(this, entry);
  }
}
