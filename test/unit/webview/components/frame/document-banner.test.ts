import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlaygroundDocument } from '../../../../../src/protocol';
import { findSecrets } from '../../../../../src/session/document/find-secrets';
import { HOST_GONE } from '../../../../../webview/actions/host-watch';
import type { Drawn, DrawOptions } from '../../draw';
import { buttonsIn, drawPart, findButton, textOf } from '../../draw';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const draw = (options: DrawOptions): Promise<Drawn> =>
  drawPart(
    (playground) => html`<pg-document-banner .playground=${playground}></pg-document-banner>`,
    options,
  );

describe('DocumentBanner', () => {
  it('is empty for a valid document', async () => {
    expect((await draw({})).host.querySelector('.banner')).toBeNull();
  });

  it('shows the line and the reason of an error, and opens it', async () => {
    const { host, sent } = await draw({ document: { error: { line: 12, message: 'Expected a comma.' } } });
    expect(textOf(host.querySelector('[role=alert]'))).toContain('Line 12: Expected a comma.');
    findButton(host, 'Open as Text').click();
    expect(sent('document/open-text')).toEqual([{ line: 12 }]);
  });

  it('says that nothing is shown of a text that was never valid', async () => {
    const document = { error: { line: 1, message: 'Expected a comma.' } };
    expect((await draw({ document })).text()).toContain('The last state that could be read');
    expect((await draw({ document, lanes: {} })).text()).toContain('The playground is shown when');
  });

  it('says why the document is read-only', async () => {
    const { host, sent, text } = await draw({ document: { readOnly: 'The file is on a read-only disk.' } });
    expect(text()).toContain('The file is on a read-only disk.');
    expect(buttonsIn(host)).toEqual(['Save As Playground File…']);
    findButton(host, 'Save As Playground File…').click();
    expect(sent('document/save-as')).toEqual([{}]);
  });

  it.each(['readOnly', 'notWritten'])('offers to make it writable where possible (%s)', async (why) => {
    const { host, sent, text } = await draw({ document: { [why]: 'It is locked.', canUnlock: true } });
    expect(text()).toContain('It is locked.');
    findButton(host, 'Make Writable').click();
    expect(sent('document/unlock')).toEqual([{}]);
  });

  it.each([
    [1, /^system looks like a secret\. No run starts until it is removed/],
    [2, /^system looks like a secret\. system looks like a secret\. No run/],
    [6, /secret\. 1 more place has one\. No run/],
    [7, /secret\. 2 more places have one\. No run/],
  ])('repeats what the host says about %i secrets, up to five', async (count, words) => {
    // The real sentences, because the panel adds only to them.
    const [found = ''] = findSecrets({ system: `sk-${'a1'.repeat(20)}` } as PlaygroundDocument);
    const secrets = Array.from({ length: count }, () => found);
    const { host } = await draw({ document: { secrets } });
    expect(textOf(host.querySelector('[role=alert] p'))).toMatch(words);
  });

  it('shows the first of several warnings without an alert', async () => {
    const warnings = [1, 2, 3].map((line) => ({ line, message: `Key ${line} is not known.` }));
    const { host, text } = await draw({ document: { warnings } });
    expect(text()).toContain('Line 1: Key 1 is not known. (2 more warnings)');
    expect(host.querySelector('[role=alert]')).toBeNull();
  });

  it('leaves warnings about tools to the tools view where that is shown', async () => {
    // In another language, the path may be anywhere in the message.
    const warnings = [{ line: 3, message: 'Never reached: tools[0].mocks[1].', isAboutTools: true }];
    expect((await draw({ document: { warnings } })).text()).toContain('Never reached');
    expect((await draw({ document: { warnings }, view: { view: 'tools' } })).text()).toBe('');
    const others = [{ line: 3, message: 'tools are not meant here.' }];
    expect((await draw({ document: { warnings: others }, view: { view: 'tools' } })).text()).toContain(
      'not meant',
    );
  });

  it('says why the session could not be opened, and offers to try again', async () => {
    const openError = { code: 'x', title: 'T', what: 'It failed.', why: '', next: 'Try again.' };
    const { host, sent, text } = await draw({ openError });
    expect(text()).toContain('It failed. Try again.');
    findButton(host, 'Try again').click();
    expect(sent('session/open')).toHaveLength(1);
  });

  it('says what to do without the host, and offers nothing that needs it', async () => {
    const { host } = await draw({ openError: HOST_GONE });
    expect(textOf(host.querySelector('[role=alert]'))).toContain('Reload the window');
    expect(buttonsIn(host)).toEqual([]);
  });
});
