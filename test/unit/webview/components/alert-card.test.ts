import { describe, expect, it } from 'vitest';
import type { ErrorInfo } from '../../../../src/protocol';
import { renderAlert, renderStopped } from '../../../../webview/components/alert-card';
import { ATTEMPT, SNAPSHOT, toOutcome, toRun } from '../samples';
import { drawPart, laneOn } from './draw-part';

const error: ErrorInfo = { code: 'http', title: 'T', what: 'What.', why: 'Why.', next: 'Next.' };

/** A run on the connection `hosted`, which has a key, that ended with this status. */
function drawFailed(status: number, { connectionId = 'hosted', code = 'http', isLast = true } = {}) {
  const outcome = {
    ...toOutcome('r1', undefined),
    connectionId: 'hosted',
    ledger: [{ ...ATTEMPT, status }],
  };
  return drawPart(laneOn(connectionId, 'm'), (playground) =>
    renderAlert(playground, { entry: toRun('r1', outcome), error: { ...error, code }, isLast }),
  );
}

describe('renderAlert', () => {
  it.each([401, 403])('offers another key where the server refused it with %d', (status) => {
    const { host, frames } = drawFailed(status);
    const button = [...host.querySelectorAll<HTMLElement>('vscode-button')].find(
      ({ textContent }) => textContent.trim() === 'Set API key',
    );
    button?.click();
    expect(frames).toMatchObject([{ method: 'connection/set-key', params: { connectionId: 'hosted' } }]);
  });

  it('offers a key where none was set', () => {
    expect(drawFailed(200, { code: 'connection-key' }).buttons).toContain('Set API key');
  });

  it('offers none for other errors, older runs, and connections that are not the one in question', () => {
    expect(SNAPSHOT.connections.map(({ needsKey }) => needsKey)).toEqual([false, true]);
    for (const { buttons } of [
      drawFailed(500),
      drawFailed(401, { code: 'network' }),
      drawFailed(401, { isLast: false }),
      drawFailed(401, { connectionId: 'demo' }),
    ]) {
      expect(buttons).not.toContain('Set API key');
      expect(buttons).toContain('Show log');
    }
  });

  it('shows what had arrived, folded, as text', () => {
    const partial = 'The weather <b>is';
    const { host, text } = drawPart({}, (playground) =>
      renderAlert(playground, { entry: toRun('r1'), error: { ...error, partial }, isLast: true }),
    );
    expect(text).toContain('What had arrived, 17 characters');
    expect(host.querySelector('details pg-long-text')).toMatchObject({ text: partial });
    expect(drawFailed(500).host.querySelector('details')).toBeNull();
  });
});

describe('renderStopped', () => {
  it('shows what had arrived, too', () => {
    const { text } = drawPart({}, (playground) =>
      renderStopped(playground, { ...error, partial: 'Let' }, true),
    );
    expect(text).toMatch(/^Stopped\. .* What had arrived, 3 characters Run again$/);
  });
});
