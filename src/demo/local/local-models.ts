// What the local protocol reports about the models: the list, the details, and the loaded ones. Pure. No field claims a real
// network.
import { EMBEDDING_LENGTH } from '../model/embed-text';
import type { LoadedModel } from './loaded-models';
import { toGoTime } from './local-wire';
import { SCENARIOS } from '../scenarios';
import type { Scenario } from '../model/scenario';

const FAMILY = 'scripted';
const CONTEXT_LENGTH = 131_072;
/** Maximum length of a text for the embedding model, in tokens; longer texts are truncated or refused. */
export const EMBEDDING_CONTEXT_LENGTH = 2048;
/** The same date on every computer, because the scripted models are part of the program. */
const MODIFIED_AT = '2026-01-01T00:00:00Z';

const DETAILS = {
  parent_model: '',
  format: 'scripted',
  family: FAMILY,
  families: [FAMILY],
  parameter_size: '',
  quantization_level: 'unknown',
};

export function toLocalTags(): unknown {
  return {
    models: SCENARIOS.map((scenario) => ({
      name: `${scenario.name}:latest`,
      model: `${scenario.name}:latest`,
      modified_at: MODIFIED_AT,
      size: 0,
      digest: toDigest(scenario.name),
      details: {
        ...DETAILS,
        context_length: contextLengthOf(scenario),
        embedding_length: scenario.isEmbedder ? EMBEDDING_LENGTH : 0,
      },
      // The real list is filled from a cache that lacks `tools`; only the details report it.
      capabilities: [scenario.isEmbedder ? 'embedding' : 'completion'],
    })),
  };
}

export function toLocalShow(scenario: Scenario): unknown {
  return {
    modelfile: `# ${scenario.summary}\nFROM ${scenario.name}\n`,
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': FAMILY,
      'general.basename': scenario.name,
      [`${FAMILY}.context_length`]: contextLengthOf(scenario),
      ...(scenario.isEmbedder ? { [`${FAMILY}.embedding_length`]: EMBEDDING_LENGTH } : {}),
    },
    capabilities: scenario.isEmbedder ? ['embedding'] : ['completion', 'tools'],
    modified_at: MODIFIED_AT,
  };
}

/** The loaded models. Their sizes are 0, because scripted models occupy no memory. */
export function toLocalPs(loaded: readonly LoadedModel[]): unknown {
  return {
    models: loaded.map(({ scenario, contextLength, expiresAt }) => ({
      name: `${scenario.name}:latest`,
      model: `${scenario.name}:latest`,
      size: 0,
      digest: toDigest(scenario.name),
      details: DETAILS,
      expires_at: toGoTime(expiresAt),
      size_vram: 0,
      context_length: contextLength ?? contextLengthOf(scenario),
    })),
  };
}

function contextLengthOf(scenario: Scenario): number {
  return scenario.isEmbedder ? EMBEDDING_CONTEXT_LENGTH : CONTEXT_LENGTH;
}

/** 64 hexadecimal digits, different for each name. */
function toDigest(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64);
}
