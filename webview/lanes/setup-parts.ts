// The parts of what a run is set to, in words: those that have changed since a reply, and those in which lanes differ. Pure.
import { t } from '@vscode/l10n';
import type { SentSettings, SetupPart } from '../../src/protocol';
import { SAMPLING_FIELDS } from './sampling-fields';
import type { SamplingKey } from './sampling-fields';

const PART_WORDS: Readonly<Record<Exclude<SetupPart, SamplingKey>, () => string>> = {
  connection: () => t('connection'),
  model: () => t('model'),
  toolChoice: () => t('tool choice'),
  raw: () => t('raw keys'),
  rescue: () => t('rescue'),
  system: () => t('system prompt'),
  tools: () => t('tools'),
  mocks: () => t('mocks'),
  limits: () => t('limits'),
  messages: () => t('messages'),
};

/** Such as `temperature, system prompt`. */
export const describeParts = (parts: readonly SetupPart[]): string =>
  parts
    .map((part) =>
      part in PART_WORDS
        ? PART_WORDS[part as keyof typeof PART_WORDS]()
        : SAMPLING_FIELDS[part as SamplingKey].shortName(),
    )
    .join(', ');

/** Parts that have to be the same for two replies to be compared. */
const COMPARED_PARTS = ['system', 'tools', 'messages'] as const;

export const differingParts = (one: SentSettings, other: SentSettings): SetupPart[] =>
  COMPARED_PARTS.filter((part) => one.prints[part] !== other.prints[part]);
