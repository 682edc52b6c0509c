// A conversation whose replies have lost their reasoning must not ask for what a service takes only with it. Pure.
import { t } from '@vscode/l10n';
import type { CatalogEntry } from '../../library';
import type { FormNote } from '../../types';

export interface Unreasoned {
  messages: readonly { toolCalls?: readonly unknown[] | undefined }[];
  /** What reading the request left out. */
  notes: Iterable<FormNote>;
}

/** @returns what of `raw` can be sent, and a phrase for people for each member that cannot */
export function withoutReasoning(
  raw: Readonly<Record<string, unknown>>,
  { needReasoning }: CatalogEntry,
  { messages, notes }: Unreasoned,
): { raw: Record<string, unknown>; leftOut: string[] } {
  const isNeeded =
    messages.some(({ toolCalls = [] }) => toolCalls.length > 0) &&
    [...notes].some(({ why }) => why === 'reasoning');
  const names = new Set(isNeeded ? needReasoning?.(raw) : []);
  return {
    raw: Object.fromEntries(Object.entries(raw).filter(([name]) => !names.has(name))),
    leftOut: [...names].map((name) =>
      t('{0}, which the server takes only with the reasoning of earlier replies', name),
    ),
  };
}
