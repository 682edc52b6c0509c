// Banners above the lanes: why the document cannot be read or changed, secrets that must not be in it, and
// warnings.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { DocumentProblemView, DocumentSnapshot } from '../../../src/protocol';
import { HOST_GONE } from '../../actions/host-watch';
import { icon } from '../../icons';
import type { PanelState } from '../../state/panel-state';
import type { Playground } from '../../playground';
import { countOf } from '../../text/format';
import { linkButton } from '../controls/controls';
import { renderMarked } from '../controls/marked-text';
import { prose } from '../controls/prose';
import { StoreElement } from '../controls/store-element';
import { sentence } from '../../text/sentence';

const MAX_SHOWN = 5;

export class DocumentBanner extends StoreElement {
  override render(): unknown {
    return renderBanners(this.playground);
  }

  protected override watched({ session, openError, view }: PanelState): readonly unknown[] {
    const { error, readOnly, notWritten, canUnlock, secrets = [], warnings = [] } = session.document ?? {};
    const isInTools = view.view === 'tools';
    const hasLanes = session.laneIds.length > 0;
    return [
      openError,
      isInTools,
      hasLanes,
      JSON.stringify([error, readOnly, notWritten, canUnlock, secrets, warnings]),
    ];
  }
}

function renderBanners(playground: Playground): unknown {
  const { session, openError, view } = playground.state;
  const { document } = session;
  if (openError) {
    return renderBanner(
      'error',
      html`${prose(openError.what)} ${prose(openError.next)}`,
      // No button here: the panel notices by itself when the host answers again.
      openError.code === HOST_GONE.code
        ? nothing
        : html`${linkButton(t('Try again'), () => void playground.start())}
          ${linkButton(t('Show log'), () => void playground.send('log/show', {}))}`,
    );
  }
  if (!document) return nothing;
  const { error, secrets } = document;
  // The view *Tools* shows the warnings about tools in its form.
  const warnings = document.warnings.filter(
    ({ isAboutTools }) => view.view !== 'tools' || isAboutTools !== true,
  );
  return html`${error ? renderError(playground, error) : nothing} ${renderLock(playground, document)}
  ${secrets.length > 0 ? renderSecrets(playground, secrets) : nothing}
  ${warnings.length > 0 ? renderWarnings(playground, warnings) : nothing}`;
}

function renderError(playground: Playground, { line, message }: DocumentProblemView): TemplateResult {
  // A document that was read at least once has a lane.
  const hasState = playground.state.session.laneIds.length > 0;
  const shown = hasState
    ? t('The last state that could be read is shown; it cannot be changed here.')
    : t('The playground is shown when the error is corrected.');
  return renderBanner(
    'error',
    html`<b>${t('Line {0}', line)}</b>: ${prose(message)} ${shown}`,
    linkButton(t('Open as Text'), () => void playground.send('document/open-text', { line })),
  );
}

/** Why the document cannot be changed, or why changes are not kept, and what to do about it. */
function renderLock(
  playground: Playground,
  { readOnly, notWritten, canUnlock }: DocumentSnapshot,
): TemplateResult | typeof nothing {
  const reason = readOnly ?? notWritten;
  if (reason === undefined) return nothing;
  return renderBanner(
    readOnly === undefined ? 'warning' : 'info',
    prose(reason),
    html`${
      canUnlock ? linkButton(t('Make Writable'), () => void playground.send('document/unlock', {})) : nothing
    }
    ${linkButton(t('Save As Playground File…'), () => void playground.send('document/save-as', {}))}`,
  );
}

function renderSecrets(playground: Playground, secrets: readonly string[]): TemplateResult {
  const more = secrets.length - MAX_SHOWN;
  const sentences = [
    ...secrets.slice(0, MAX_SHOWN),
    ...(more > 0 ? [countOf(more, t('{0} more place has one.'), t('{0} more places have one.'))] : []),
    t('No run starts until it is removed: keys are kept with the connection.'),
  ];
  return renderBanner(
    'error',
    renderMarked(sentences.join(' ')),
    linkButton(t('Open as Text'), () => void playground.send('document/open-text', {})),
  );
}

function renderWarnings(playground: Playground, warnings: readonly DocumentProblemView[]): TemplateResult {
  const [first] = warnings;
  if (!first) return html``;
  const more = warnings.length - 1;
  const rest = more > 0 ? ` (${countOf(more, t('{0} more warning'), t('{0} more warnings'))})` : '';
  return renderBanner(
    'warning',
    html`${sentence(t('Line {0}: {1}'), first.line, prose(first.message))}${rest}`,
    linkButton(t('Open as Text'), () => void playground.send('document/open-text', { line: first.line })),
  );
}

const renderBanner = (
  severity: 'error' | 'warning' | 'info',
  text: unknown,
  actions: unknown,
): TemplateResult =>
  html`<div class="banner is-${severity}" role=${severity === 'error' ? 'alert' : nothing}>
    <span class="s-${severity}">${icon(severity)}</span>
    <p>${text} ${actions}</p>
  </div>`;
