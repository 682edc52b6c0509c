// What a turn of a conversation shows: the properties of its element. Draws nothing.
import type { LaneEntry } from '../../../src/protocol';
import type { Playground } from '../../playground';
import type { MessageEdit, ResultDrafts, Selection } from '../../state/view-state';
import { PanelElement } from '../controls/panel-element';

/** One turn of a conversation without its drawing. */
export abstract class TurnElement extends PanelElement {
  static override properties = {
    playground: { attribute: false },
    laneId: { attribute: false },
    entry: { attribute: false },
    selected: { attribute: false },
    edit: { attribute: false },
    drafts: { attribute: false },
    isRendered: { type: Boolean },
    isLast: { type: Boolean },
    isLive: { type: Boolean },
    isLocked: { type: Boolean },
    isPaused: { type: Boolean },
    blocker: { attribute: false },
    primaryCall: { attribute: false },
    toolNames: { attribute: false },
  };
  declare playground: Playground;
  declare laneId: string;
  declare entry: LaneEntry;
  /** The selection within this turn. */
  declare selected: Selection | undefined;
  /** Set while the message is being edited. */
  declare edit: MessageEdit | undefined;
  /** Results of its calls that are being written. */
  declare drafts: ResultDrafts | undefined;
  /** Whether its reply is drawn as the Markdown that it means. */
  declare isRendered: boolean;
  declare isLast: boolean;
  /** Whether its run is under way. */
  declare isLive: boolean;
  /** Whether nothing can be run from here now; set on the last turn only. */
  declare isLocked: boolean;
  /** Whether the agent run of its lane is paused between two steps; set only where a result is being written. */
  declare isPaused: boolean;
  /** Why nothing can be run in the lane; set on the last turn and on one that is being edited only. */
  declare blocker: string | undefined;
  /** Index of the call whose result is the primary action of the panel. */
  declare primaryCall: number | undefined;
  /** Names of all tools of the document, one a line. */
  declare toolNames: string;
}
