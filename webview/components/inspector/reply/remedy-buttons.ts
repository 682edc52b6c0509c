// The buttons of a finding. Each applies its remedy; if the reply is the last one of its lane, the request is also
// sent again.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { RunEntry } from '../../../../src/protocol';
import type { Remedy } from '../../../../src/types';
import { focusOnceDone } from '../../../focus/focus';
import { canEdit, documentBlocker, isBusy, lastSent } from '../../../lanes/lane-queries';
import { changesSomething, describeRemedy } from '../../../lanes/remedies';
import type { Playground } from '../../../playground';
import { laneOf } from '../../../state/session-state';
import { spellMarks } from '../../../text/text-marks';
import { button } from '../../controls/controls';

const MAX_SHOWN = 3;

export interface RemedyPlace {
  playground: Playground;
  laneId: string;
  run: RunEntry;
  /** Finds the element to focus, since the pressed button is gone; if absent, the focus moves on within the lane. */
  next?: () => HTMLElement | null | undefined;
}

export function renderRemedies(place: RemedyPlace, remedies: readonly Remedy[]): unknown {
  const { playground, laneId, run } = place;
  const { session } = playground.state;
  const open = remedies.filter((remedy) => changesSomething(remedy, session, laneId)).slice(0, MAX_SHOWN);
  // Without a document, as of a recorded run, there is nothing to change.
  if (open.length === 0 || !session.document) return nothing;
  // Only the last reply is asked for again: anything after an earlier one would be lost.
  const isSentAgain = lastSent(laneOf(session, laneId))?.id === run.id;
  const blocker = whyNot(place);
  return html`<div class="actions remedies">
    ${open.map((remedy) => {
      const label = spellMarks(describeRemedy(remedy, isSentAgain));
      return button({
        label,
        isDisabled: blocker !== undefined,
        title: blocker,
        onClick: () => void apply(place, remedy, { isSentAgain, label }),
      });
    })}
  </div>`;
}

async function apply(
  { playground, laneId, run, next }: RemedyPlace,
  remedy: Remedy,
  { isSentAgain, label }: { isSentAgain: boolean; label: string },
): Promise<void> {
  const goTo = focusOnceDone();
  if (!(await playground.applyRemedy({ laneId, runId: run.id }, remedy, isSentAgain))) return;
  playground.notify(t('Done: {0}.', label));
  if (next) goTo(next);
}

function whyNot({ playground, laneId }: RemedyPlace): string | undefined {
  const { session } = playground.state;
  const blocker = documentBlocker(session)?.replaceAll('`', '');
  if (blocker !== undefined) return blocker;
  if (!canEdit(session)) return session.document?.readOnly ?? t('The playground cannot be changed.');
  return isBusy(session, laneId) ? t('A run is under way in this lane.') : undefined;
}
