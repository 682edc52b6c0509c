// Common comparisons: copies of a lane with one thing changed. Pure.
import { t } from '@vscode/l10n';
import type { RequestParams } from '../../src/protocol';
import type { PanelState } from '../state/panel-state';
import { chatModels, laneSettings, modelOf } from './lane-queries';

export interface Proposal {
  /** Text after *Compare with*, such as `rescue off`. */
  label: string;
  change: NonNullable<RequestParams<'lane/add'>['change']>;
}

const MAX_CONNECTIONS = 6;
const MAX_MODELS = 6;

export function compareProposals(state: PanelState, laneId: string): Proposal[] {
  const { session } = state;
  const lane = laneSettings(session, laneId);
  if (!lane) return [];
  const { sampling, rescueToolCalls } = lane;
  const model = modelOf(session, laneId);
  const temperatures = [0, 1].filter((temperature) => sampling.temperature !== temperature);
  const others = (session.environment?.connections ?? []).filter(
    ({ id, problem }) => id !== lane.connection && problem === undefined,
  );
  // A local server reads a model name without a tag as `:latest`.
  const own = [model, `${model}:latest`];
  const models = chatModels(state, lane.connection).filter((name) => !own.includes(name));
  return [
    {
      label: rescueToolCalls ? t('rescue off') : t('rescue on'),
      change: { rescueToolCalls: !rescueToolCalls },
    },
    ...temperatures.map((temperature) => ({
      label: t('temperature {0}', temperature),
      change: { sampling: { ...sampling, temperature } },
    })),
    ...others.slice(0, MAX_CONNECTIONS).map(({ id, label }) => ({
      label: model === '' ? label : t('{0} on {1}', model, label),
      change: { connection: id, ...(model === '' ? {} : { model }) },
    })),
    ...models.slice(0, MAX_MODELS).map((name) => ({ label: name, change: { model: name } })),
  ];
}
