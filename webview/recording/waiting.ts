// The page before the first request: what to give to a program so that it is recorded, as texts to copy.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RecordableClient, RecordingSnapshot } from '../../src/protocol';
import { button } from '../components/controls/controls';
import { prose, renderCut } from '../components/controls/prose';
import { icon } from '../icons';
import { sentence } from '../text/sentence';
import type { Recording } from './recording';
import type { Shell } from './setup-texts';
import { configurationMembers, SHELL_NAMES, SHELLS, variableLines } from './setup-texts';

const HEADINGS: Readonly<Record<RecordableClient['kind'], () => string>> = {
  openai: () => t('A program that uses the OpenAI protocol'),
  anthropic: () => t("A program that uses Anthropic's protocol"),
  ollama: () => t("A program that uses Ollama's protocol"),
};

const COPY_NAMES: Readonly<Record<RecordableClient['kind'], () => string>> = {
  openai: () => t('Copy the variables for the OpenAI protocol'),
  anthropic: () => t("Copy the variables for Anthropic's protocol"),
  ollama: () => t("Copy the variables for Ollama's protocol"),
};

const KEY_NOTES: Readonly<Record<RecordingSnapshot['key'], () => string>> = {
  added: () => t('The key of the connection is added here; the program needs none.'),
  none: () => t('The server needs no key.'),
  missing: () =>
    t(
      'No key is added here: the program has to send its own, which is passed on and neither kept nor shown.',
    ),
};

export function renderWaiting(recording: Recording, snapshot: RecordingSnapshot): TemplateResult {
  const { shell } = recording.state;
  const { clients, connection, isRepairing, key, requestsLeaveFrom } = snapshot;
  const label = html`<b>${renderCut(connection.label, 200)}</b>`;
  const goesBack = isRepairing
    ? t(
        'Give a program the address above as its server. What it sends goes on to {0}, the answer goes back to it with its calls repaired, and both are shown here.',
      )
    : t(
        'Give a program the address above as its server. What it sends goes on to {0}, the answer goes back to it unchanged, and both are shown here.',
      );
  return html`<div class="start">
    <header>
      <h2 class="has-icon">
        <span class="o-icon o-busy">${icon('busy', 'spin')}</span>${t('Waiting for the first request')}
      </h2>
      <pg-menu-button
        .label=${t('For {0}', SHELL_NAMES[shell])}
        .icon=${'code'}
        .hasText=${true}
        .groups=${() => [{ items: SHELLS.map((id) => ({ label: SHELL_NAMES[id], onSelect: () => recording.set({ shell: id }) })) }]}
      ></pg-menu-button>
    </header>
    <p>${sentence(goesBack, label)}</p>
    ${clients.map((client) => renderVariables(recording, client, shell, key))}
    ${renderConfiguration(recording, snapshot)}
    <p class="muted">
      ${t('The address works on {0} only, and only until the recording stops.', requestsLeaveFrom)}
      ${KEY_NOTES[key]()} ${t('Keys are neither kept nor shown.')}
    </p>
  </div>`;
}

function renderVariables(
  recording: Recording,
  client: RecordableClient,
  shell: Shell,
  key: RecordingSnapshot['key'],
): TemplateResult {
  const lines = variableLines(client, shell, key);
  const text = lines.map(({ before, value, after }) => `${before}${value}${after}\n`).join('');
  return html`<section class="sec">
    <h3>${HEADINGS[client.kind]()}</h3>
    ${renderSnippet(
      recording,
      { text, name: COPY_NAMES[client.kind]() },
      lines.map(({ before, value, after }) => [before, renderPart('str', value), after, '\n']),
    )}
  </section>`;
}

function renderConfiguration(recording: Recording, snapshot: RecordingSnapshot): unknown {
  const members = configurationMembers(snapshot);
  if (members.length === 0) return nothing;
  const text = `${JSON.stringify(Object.fromEntries(members.map(({ name, value }) => [name, value])), null, 2)}\n`;
  return html`<section class="sec">
    <h3>${t('A configuration file')} <small>${t('the keys differ from program to program')}</small></h3>
    ${renderSnippet(recording, { text, name: t('Copy the configuration') }, [
      '{\n',
      ...members.map(({ name, value }, index) => [
        '  ',
        renderPart('key', JSON.stringify(name)),
        ': ',
        renderPart('str', JSON.stringify(value)),
        index < members.length - 1 ? ',\n' : '\n',
      ]),
      '}',
    ])}
  </section>`;
}

const renderPart = (className: string, text: string): TemplateResult =>
  html`<span class=${className}>${renderCut(text)}</span>`;

function renderSnippet(
  recording: Recording,
  { text, name }: { text: string; name: string },
  shown: unknown,
): TemplateResult {
  return html`<div class="snippet">
    <pre>${shown}</pre>
    ${button({ label: t('Copy'), icon: 'copy', name, onClick: () => void recording.copy(text) })}
  </div>`;
}

/** A recording without requests that does not wait for one. */
export function renderIdle(recording: Recording, { state, problem }: RecordingSnapshot): TemplateResult {
  if (state === 'starting') return html`<p class="empty muted">${t('Starting the recording…')}</p>`;
  const again = button({
    label: t('Record again'),
    appearance: 'primary',
    onClick: () => void recording.send('recording/start', {}),
  });
  return html`<div class="empty">
    ${icon('record')}
    <p>
      ${
        state === 'file'
          ? t('The file contains no request.')
          : problem
            ? prose(problem.title)
            : t('The recording is stopped, and no request came.')
      }
    </p>
    ${state === 'file' ? nothing : again}
  </div>`;
}
