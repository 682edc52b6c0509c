import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawn, DrawOptions } from '../../draw';
import { drawPart, findButton, nextFrames, press } from '../../draw';
import { toMessage } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const draw = (options: DrawOptions = {}): Promise<Drawn> =>
  drawPart(
    (playground) =>
      html`${playground.state.session.laneIds.map(
        (id) => html`<pg-lane .playground=${playground} .laneId=${id}></pg-lane>`,
      )}`,
    options,
  );

describe('Lane', () => {
  it('is a region named by its number, and marked if it is current', async () => {
    const { host } = await draw({ lanes: { x: {}, y: {} }, view: { laneId: 'y' } });
    const regions = [...host.querySelectorAll('[role=region]')];
    expect(regions.map((region) => region.getAttribute('aria-label'))).toEqual(['Lane 1', 'Lane 2']);
    expect(regions.map((region) => region.getAttribute('aria-current'))).toEqual([null, 'true']);
  });

  it('becomes current when it gets the focus', async () => {
    const { host, playground } = await draw({ lanes: { x: {}, y: {} } });
    findButton(host.querySelectorAll('.lane')[1] ?? host, 'Lane settings').focus();
    expect(playground.state.view.laneId).toBe('y');
  });

  it('becomes current with the click of a pointer, and not between its press and its release', async () => {
    const { host, playground } = await draw({ lanes: { a: {}, b: {} } });
    const lane = host.querySelectorAll('.lane')[1] as HTMLElement;
    const current = (): string => playground.state.view.laneId;
    lane.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    findButton(lane, 'Lane settings').focus();
    expect(current()).not.toBe('b');
    window.dispatchEvent(new Event('pointerup'));
    lane.click();
    expect(current()).toBe('b');
    playground.setView({ laneId: 'a' });
    lane.focus();
    expect(current()).toBe('b');
  });

  it('opens its settings with the focus in them, and closes them with Escape', async () => {
    const { host, settle, playground } = await draw();
    findButton(host, 'Lane settings').click();
    await settle();
    await nextFrames();
    expect(playground.state.view.openSettings).toEqual(['a']);
    const settings = host.querySelector('.settings');
    if (!settings) throw new Error('no settings');
    press(settings, 'Escape', { isComposing: true });
    expect(playground.state.view.openSettings).toEqual(['a']);
    press(settings, 'Escape');
    await settle();
    await nextFrames();
    expect(playground.state.view.openSettings).toEqual([]);
    expect(document.activeElement).toBe(findButton(host, 'Lane settings'));
  });

  it('emits a scroll event once its settings are open, because its end may be out of view', async () => {
    const { host, settle } = await draw();
    const scrolled: EventTarget[] = [];
    const note = ({ target }: Event): void => void (target && scrolled.push(target));
    document.addEventListener('scroll', note, { capture: true });
    findButton(host, 'Lane settings').click();
    await settle();
    await nextFrames();
    document.removeEventListener('scroll', note, { capture: true });
    expect(scrolled).not.toEqual([]);
  });

  it('opens the list of models when another model is needed', async () => {
    const answers = { 'connection/models': { models: ['first-look', 'slow'] } };
    const { host, settle } = await draw({ answers });
    findButton(host, 'Choose another model').click();
    await settle();
    // Makes the toolkit's dropdown a combobox as well, to check that the right one is opened.
    host.querySelector('vscode-dropdown')?.setAttribute('role', 'combobox');
    await nextFrames();
    await settle();
    expect(document.activeElement).toBe(host.querySelector('pg-combo-box input'));
    expect(host.querySelectorAll('pg-combo-box [role=option]').length).toBeGreaterThan(0);
  });

  it('asks for a connection if it has none, and offers no run', async () => {
    const { host, text } = await draw({ lanes: { a: { settings: { connection: 'gone' } } } });
    expect(text()).not.toContain('Run sends');
    findButton(host, 'Choose a connection').click();
    await nextFrames();
    expect(document.activeElement?.tagName).toBe('VSCODE-DROPDOWN');
  });

  it('clears its conversation', async () => {
    const { host, sent, settle } = await draw({ lanes: { a: { entries: [toMessage('m')] } } });
    findButton(host, 'Clear conversation').click();
    await settle();
    expect(sent('conversation/clear')).toEqual([{ laneIds: ['a'] }]);
  });
});
