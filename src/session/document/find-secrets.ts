// Finds what looks like a secret in a document, by the names of keys and by the shapes of well-known keys. Never repeats one.
import { t } from '@vscode/l10n';
import { isSecretName } from '../../library';
import type { PlaygroundDocument } from '../../protocol';
import { isTooDeep } from './json-text';
import { formatPlace } from './place';
import type { Path } from './place';
import { looksLikeSecret } from './secret-shapes';

/** Enough to say no; a file of nothing else would give a list that nobody reads. */
const MAX_SENTENCES = 100;

/** A value and the keys that lead to it, from the inside out: a list of its own for each would cost the square of the depth. */
interface Step {
  value: unknown;
  segment: string | number;
  parent: Step | undefined;
  depth: number;
}

/** @returns a sentence a place, such as `lanes[0].raw.api_key looks like a secret.`; never the value itself */
export function findSecrets(document: PlaygroundDocument): string[] {
  const sentences: string[] = [];
  const seen = new Set<unknown>();
  const steps: Step[] = [];
  addSteps(steps, document, undefined);
  for (let step = steps.pop(); step && sentences.length < MAX_SENTENCES; step = steps.pop()) {
    const { value, segment, parent, depth } = step;
    if (typeof segment === 'string' && looksLikeSecret(segment))
      sentences.push(t('{0} has a key that looks like a secret.', formatPlace(toPath(parent))));
    if (typeof value === 'string' && isSecret(step, value))
      sentences.push(t('{0} looks like a secret.', formatPlace(toPath(step))));
    if (typeof value !== 'object' || value === null || seen.has(value) || isTooDeep(depth)) continue;
    seen.add(value);
    addSteps(steps, value, step);
  }
  return sentences;
}

/** The last first, as a stack has them. */
function addSteps(steps: Step[], value: object, parent: Step | undefined): void {
  const depth = (parent?.depth ?? 0) + 1;
  for (const [key, entry] of Object.entries(value).toReversed())
    steps.push({ value: entry, segment: Array.isArray(value) ? Number(key) : key, parent, depth });
}

function isSecret(step: Step, text: string): boolean {
  if (looksLikeSecret(text)) return true;
  return (
    text !== '' && typeof step.segment === 'string' && isSecretName(step.segment) && isSent(toPath(step))
  );
}

/** Elsewhere such names are common: a tool may well have a parameter called `token`, and answer with `next_page_token`. */
const isSent = ([list, , part]: Path): boolean => list === 'lanes' && part === 'raw';

function toPath(step: Step | undefined): Path {
  const path: (string | number)[] = [];
  for (let at = step; at; at = at.parent) path.push(at.segment);
  return path.toReversed();
}
