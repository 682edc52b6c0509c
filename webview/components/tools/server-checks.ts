// What the servers of the lanes refuse in the shown tool, with the form of it that they do not refuse.
import { t } from '@vscode/l10n';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ToolCheck } from '../../../src/protocol';
import { focusOnceDone } from '../../focus/focus';
import { icon } from '../../icons';
import { laneNumber } from '../../lanes/lane-queries';
import type { SessionState } from '../../state/session-state';
import { button } from '../controls/controls';
import { prose } from '../controls/prose';
import type { ToolForm } from './tool-form';
import { shownEditor } from './tool-focus';

export function renderServerChecks(form: ToolForm): unknown {
  const { playground, scene } = form;
  const checks = playground.state.toolChecks.filter(({ toolId }) => toolId === scene.tool.id);
  return html`<div class="server-checks" role="status">
    ${checks.map((check) => renderCheck(form, check))}
  </div>`;
}

/** One sentence. The lanes are named where there are several. */
export function describeCheck({ server, laneIds, isPartial }: ToolCheck, session: SessionState): string {
  const lanes = laneIds.map((id) => t('Lane {0}', laneNumber(session, id))).join(', ');
  const who = session.laneIds.length > 1 ? t('{0} ({1})', server, lanes) : server;
  return isPartial
    ? t('Some versions or models of {0} refuse this tool, and every request that offers it.', who)
    : t('{0} refuses this tool, and every request that offers it.', who);
}

function renderCheck(form: ToolForm, check: ToolCheck): TemplateResult {
  const { problems, isReducible } = check;
  return html`<div class="server-check has-icon">
    <span class="s-warning">${icon('warning')}</span>
    <div>
      <p>${prose(describeCheck(check, form.playground.state.session))}</p>
      <ul>
        ${problems.map((problem) => html`<li>${prose(problem)}</li>`)}
      </ul>
      ${isReducible ? renderActions(form, check) : html`<p>${t('It has no simpler form that could be made for you. Change the parameters.')}</p>`}
    </div>
  </div>`;
}

function renderActions(form: ToolForm, { toolId, server }: ToolCheck): TemplateResult {
  const { playground, scene, isFixed, name } = form;
  const isOfLibrary = scene.tool.reference !== undefined;
  const use = async (): Promise<void> => {
    const goTo = focusOnceDone();
    await playground.fields.flush();
    // The button goes with what it has mended.
    if (await playground.send('tool/use-reduced', { toolId, server })) goTo(shownEditor);
  };
  return html`<div class="actions">
    ${button({
      label: t('Show reduced form'),
      name: t('Show the reduced form of {0} for {1}', name, server),
      onClick: () => void playground.send('tool/compare-reduced', { toolId, server }),
    })}
    ${button({
      label: t('Use reduced form'),
      name: t('Use the reduced form of {0} for {1}', name, server),
      isDisabled: isFixed || isOfLibrary,
      title: isOfLibrary
        ? t('The tool comes from a library: change it there, or duplicate it first.')
        : undefined,
      onClick: () => void use(),
    })}
  </div>`;
}
