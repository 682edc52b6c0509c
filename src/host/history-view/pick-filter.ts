// Asks for the filter of the history view: first a choice of models, outcomes and tools, then a text.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Verdict } from '../../protocol';
import type { RunFacets, RunFilter } from '../../session';
import { askForText, pickMany } from '../dialogs';
import { toLabel } from '../../inspect';
import { countRuns, nameOutcome } from './run-words';

/** Maximum number of values of each kind, the most frequent ones; others can be found by text. */
const MAX_VALUES = 200;

type Facet = keyof RunFacets;

interface FacetItem extends vscode.QuickPickItem {
  /** Absent for a heading. */
  facet?: Facet;
  value?: string;
}

/** @returns undefined when the user cancelled. */
export async function pickFilter(facets: RunFacets, current: RunFilter): Promise<RunFilter | undefined> {
  const chosen = await pickMany(toItems(facets, current), {
    title: t('Filter History: model, outcome, tool'),
    placeHolder: t('Check what is shown; with nothing checked, everything is'),
  });
  if (!chosen) return undefined;
  const text = await askForText({
    title: t('Filter History: text'),
    prompt: t('Searches the name, the model and the beginning of message and reply. Empty: any text.'),
    value: current.text,
    validate: () => undefined,
  });
  if (text === undefined) return undefined;
  const valuesOf = (facet: Facet): string[] =>
    chosen.flatMap((item) => (item.facet === facet && item.value !== undefined ? [item.value] : []));
  return {
    models: valuesOf('models'),
    verdicts: valuesOf('verdicts'),
    tools: valuesOf('tools'),
    text: text.trim(),
  };
}

function toItems(facets: RunFacets, current: RunFilter): FacetItem[] {
  const headings: Readonly<Record<Facet, string>> = {
    models: t('Model'),
    verdicts: t('Outcome'),
    tools: t('Called tool'),
  };
  return (['models', 'verdicts', 'tools'] as const).flatMap((facet): FacetItem[] => {
    const counts = withChosen(facets[facet].slice(0, MAX_VALUES), current[facet]);
    if (counts.length === 0) return [];
    return [
      { label: headings[facet], kind: vscode.QuickPickItemKind.Separator },
      ...counts.map(([value, count]) => ({
        label: facet === 'verdicts' ? nameOutcome(value as Verdict['kind']) : toLabel(value),
        description: countRuns(count),
        picked: current[facet].includes(value),
        facet,
        value,
      })),
    ];
  });
}

/** Adds the values of the current filter, so that they can be unchecked even if no run has them any more. */
function withChosen(
  counts: readonly [string, number][],
  chosen: readonly string[],
): readonly [string, number][] {
  const missing = chosen.filter((value) => counts.every(([known]) => known !== value));
  return [...counts, ...missing.map((value): [string, number] => [value, 0])];
}
