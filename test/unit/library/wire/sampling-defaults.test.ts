import { describe, expect, test } from 'vitest';
import {
  fromLlamaServerDefaults,
  fromModelfileParameters,
} from '../../../../src/library/wire/sampling-defaults';
import { readRecorded } from '../../../support/messages/recorded';

describe('fromLlamaServerDefaults', () => {
  test('reads the values of a real server, without those that mean “not set”', () => {
    const props = JSON.parse(readRecorded('llamacpp-props').response.body) as Record<string, unknown>;
    expect(fromLlamaServerDefaults(props['default_generation_settings'])).toEqual({
      temperature: 0.8,
      topP: 0.95,
      topK: 40,
      numCtx: expect.any(Number),
      repeatPenalty: 1,
    });
  });

  test.each([undefined, null, {}, { params: [] }, { params: { temperature: 'hot' } }])(
    'returns nothing for %j',
    (settings) => {
      expect(fromLlamaServerDefaults(settings)).toBeUndefined();
    },
  );
});

describe('fromModelfileParameters', () => {
  test('reads one parameter per line, as Ollama writes them', () => {
    const text =
      'num_ctx                        4096\nrepeat_penalty                 1.05\nstop                           "<|im_start|>"\nstop                           "<|im_end|>"\ntemperature                    0.6\nmirostat                       0';
    expect(fromModelfileParameters(text)).toEqual({
      numCtx: 4096,
      repeatPenalty: 1.05,
      stop: ['<|im_start|>', '<|im_end|>'],
      temperature: 0.6,
    });
  });

  test.each([undefined, '', 'no_such 5', 'temperature warm', 5, '__proto__ 1'])(
    'returns nothing for %j',
    (text) => {
      expect(fromModelfileParameters(text)).toBeUndefined();
    },
  );
});
