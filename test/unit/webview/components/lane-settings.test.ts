import { describe, expect, it } from 'vitest';
import type { ComboBox } from '../../../../webview/components/combo-box';
import { renderLaneSettings } from '../../../../webview/components/lane-settings';
import { withModels } from '../../../../webview/state';
import type { ModelsState } from '../../../../webview/state';
import { readyState } from '../samples';
import { drawPart, laneOn } from './draw-part';

function drawModels(list: ModelsState, model = 'first-look') {
  const drawn = drawPart({ ...laneOn('demo', model), models: { demo: list } }, renderLaneSettings);
  return { ...drawn, box: drawn.host.querySelector<ComboBox>('pg-combo-box') };
}

describe('renderLaneSettings', () => {
  it('says why a list of models could not be read, and what to do', () => {
    const error = {
      code: 'network',
      title: 'T',
      what: 'GET failed.',
      why: 'Nothing listens.',
      next: 'Start it.',
    };
    const { text, buttons } = drawModels({ status: 'failed', models: [], error });
    expect(text).toContain(
      'The list could not be read, so type a name. GET failed. Nothing listens. Start it.',
    );
    expect(buttons).toContain('Try again');
  });

  it('marks the latest of a model that is named without its tag', () => {
    const models = ['qwen3:latest', 'qwen3:8b'];
    expect(drawModels({ status: 'ready', models }, 'qwen3').box?.current).toBe('qwen3:latest');
    expect(drawModels({ status: 'ready', models }, 'qwen3:8b').box?.current).toBe('');
    expect(drawModels({ status: 'ready', models }, 'gemma').box?.current).toBe('');
  });

  it('offers no model that only embeds, and takes none for a lane without a model', () => {
    const list = { models: ['demo-embed', 'first-look'], chatModels: ['first-look'] };
    expect(drawModels({ status: 'ready', ...list }).box?.options).toEqual(['first-look']);
    expect(withModels(readyState(laneOn('demo', '')), 'demo', list).lane.model).toBe('first-look');
  });
});
