import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawn, DrawOptions } from '../../draw';
import { drawPart, nextFrames, textOf } from '../../draw';
import { toOutcome, toReply, toRun, toRunState } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

/** There is no layout, so that only one lane has room. */
const draw = (lanes: NonNullable<DrawOptions['lanes']>): Promise<Drawn> =>
  drawPart(
    (playground) =>
      html`<div class="work">
        <pg-lane-bar .playground=${playground}></pg-lane-bar>
        <div class="lanes">
          ${playground.state.session.laneIds.map(
            (id) => html`<pg-lane .playground=${playground} .laneId=${id}></pg-lane>`,
          )}
        </div>
      </div>`,
    { lanes },
  );

const namesIn = (host: HTMLElement): string[] =>
  [...host.querySelectorAll('.lane-bar button')].map((button) => textOf(button).replaceAll(/\s+/g, ' '));

describe('LaneBar', () => {
  it('names every lane with its outcome where not all have room', async () => {
    const { host } = await draw({
      a: { entries: [toRun('r1', toOutcome('r1', toReply('Cold.')))] },
      b: { settings: { model: 'slow' }, entries: [toRun('r2')], run: toRunState('r2') },
      c: { settings: { model: 'other' } },
    });
    expect(namesIn(host)).toEqual([
      '1 first-look Answer',
      expect.stringMatching(/^2 slow \w/),
      '3 other Not run yet',
    ]);
  });

  it('shows a lane with one click, and moves the focus to it', async () => {
    const { host, playground, settle } = await draw({ a: {}, b: {} });
    const buttons = [...host.querySelectorAll<HTMLElement>('.lane-bar button')];
    expect(buttons.map((button) => button.getAttribute('aria-current'))).toEqual(['true', null]);
    buttons[1]?.click();
    await settle();
    await nextFrames();
    expect(playground.state.view.laneId).toBe('b');
    expect(document.activeElement).toBe(host.querySelectorAll('.lane')[1]);
    expect(buttons[1]?.getAttribute('aria-current')).toBe('true');
  });

  it('is absent for a single lane', async () => {
    const { host } = await draw({ a: {} });
    expect(host.querySelector('.lane-bar')).toBeNull();
  });
});
