// Finds what looks like a secret in a document or in its data rows, by names of fields and by shapes of well-known keys. Never repeats one.
import { t } from '@vscode/l10n';
import type { PlaygroundDocument } from '../../protocol';
import { isSecretMember, looksLikeSecret } from '../../protocol';
import type { DataRow } from '../rows/data-row';
import { ProblemList } from '../rows/problem-list';
import { isTooDeep } from './text/json-text';
import { formatPlace } from './place';
import type { Path } from './place';

/** Enough to refuse a run; nobody reads a longer list. */
const MAX_SENTENCES = 100;

/** A value with a link to its parent. Storing a whole path for each value would take memory quadratic in the depth. */
interface Step {
  value: unknown;
  segment: string | number;
  parent: Step | undefined;
  depth: number;
}

interface SecretPlace {
  path: Path;
  /** Whether the secret is the name of a member there. */
  isKey: boolean;
}

/** @returns one sentence a place, such as `lanes[0].raw.api_key looks like a secret.`; never the value itself */
export const findSecrets = (document: PlaygroundDocument): string[] =>
  secretPlaces(document, MAX_SENTENCES).map((place) => describePlace(place, formatPlace([])));

/** @returns for each row that has one, the place of the first */
export function findRowSecrets(rows: readonly DataRow[]): ProblemList {
  const problems = new ProblemList();
  for (const { variables, id, name, tags, skip, expect, line } of rows) {
    const row = { ...variables, $id: id, $name: name, $tags: tags, $skip: skip, $expect: expect };
    const [place] = secretPlaces(row, 1);
    if (place) problems.add({ line, message: describePlace(place, t('The row')) });
  }
  return problems;
}

/** @param root Name of the value that was searched. */
function describePlace({ path, isKey }: SecretPlace, root: string): string {
  const place = path.length === 0 ? root : formatPlace(path);
  return isKey ? t('{0} has a key that looks like a secret.', place) : t('{0} looks like a secret.', place);
}

/** @param most Number of places after which the search ends. */
function secretPlaces(root: object, most: number): SecretPlace[] {
  const places: SecretPlace[] = [];
  const seen = new Set<unknown>();
  const steps: Step[] = [];
  addSteps(steps, root, undefined);
  for (let step = steps.pop(); step && places.length < most; step = steps.pop()) {
    const { value, segment, parent, depth } = step;
    if (typeof segment === 'string' && looksLikeSecret(segment))
      places.push({ path: toPath(parent), isKey: true });
    if (typeof value === 'string' && isSecret(step, value)) places.push({ path: toPath(step), isKey: false });
    if (typeof value !== 'object' || value === null || seen.has(value) || isTooDeep(depth)) continue;
    seen.add(value);
    addSteps(steps, value, step);
  }
  return places;
}

/** Pushes the members in reverse, so that the stack returns the first one first. */
function addSteps(steps: Step[], value: object, parent: Step | undefined): void {
  const depth = (parent?.depth ?? 0) + 1;
  for (const [key, entry] of Object.entries(value).toReversed())
    steps.push({ value: entry, segment: Array.isArray(value) ? Number(key) : key, parent, depth });
}

function isSecret(step: Step, text: string): boolean {
  if (looksLikeSecret(text)) return true;
  return typeof step.segment === 'string' && isSecretMember(step.segment, text) && isSent(toPath(step));
}

/** Only raw fields are judged by name. Elsewhere such names are common: a tool may have a parameter `token`. */
const isSent = ([list, , part]: Path): boolean => list === 'lanes' && part === 'raw';

function toPath(step: Step | undefined): Path {
  const path: (string | number)[] = [];
  for (let at = step; at; at = at.parent) path.push(at.segment);
  return path.toReversed();
}
