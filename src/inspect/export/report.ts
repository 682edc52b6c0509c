// Prints a run as a report for the developers of a server: what was sent, received and expected. Pure.
import { copyAs } from '../copy/copy-as';
import { isOverHttp } from '../find-protocol';
import { keyVariable } from '../copy/key-variable';
import type { ExportedRun, ExportInfo } from './exported-run';
import { codeSpan, fence, plainLine } from './markdown';

/** Limit of the response, in UTF-16 code units. The whole text has to fit into an issue, which takes 65,536 characters. */
const MAX_ANSWER = 20_000;
const MAX_REQUEST = 20_000;

/** @param server Product and version that the server reports, such as `ollama 0.32.1`; undefined when it reports none. */
export function toReport(run: ExportedRun, info: ExportInfo, server: string | undefined): string {
  return [
    `# ${plainLine(titleOf(run))}`,
    '',
    ...run.findings.slice(0, 3).map(({ what }) => `${plainLine(what)}\n`),
    ...(run.error ? [`${plainLine(`${run.error.what} ${run.error.why}`)}\n`] : []),
    `- Server: ${server === undefined ? 'not told by the server' : codeSpan(server)}`,
    `- Model: ${codeSpan(run.model)}`,
    `- Request: ${codeSpan(run.request ? `${run.request.method} ${pathOf(run.request.url)}` : 'nothing was sent')}`,
    `- Finish reason: ${codeSpan(run.raw?.finishReason ?? 'not sent')}`,
    '',
    ...requestOf(run),
    ...answerOf(run),
    ...expectedOf(run),
    '---',
    plainLine(`Made by ${info.madeBy}, ${info.madeAt}. Keys are masked.`),
    '',
  ].join('\n');
}

const isText = ({ calls, rescue, raw }: ExportedRun): boolean =>
  raw !== undefined && raw.toolCalls.length === 0 && (rescue?.calls.length ?? calls.length) > 0;

function titleOf(run: ExportedRun): string {
  const name = run.calls[0]?.name ?? run.rescue?.calls[0]?.name ?? '';
  if (isText(run)) return `The tool call of ${name} comes as text, not in tool_calls`;
  if (run.error) return run.error.title;
  return run.raw?.toolCalls.length === 0 && run.tools.length > 0
    ? 'No tool call comes although tools were sent'
    : 'A reply of the server';
}

/** The request as a command that anybody can run. */
function requestOf({ request, connectionId }: ExportedRun): string[] {
  const copied =
    request &&
    isOverHttp(request) &&
    copyAs('bash', request, { variable: keyVariable(connectionId), sent: {}, catalog: [] });
  return copied ? ['## Request', '', fence(cut(copied.text, MAX_REQUEST), 'sh'), ''] : [];
}

function answerOf({ attempts }: ExportedRun): string[] {
  const response = attempts.findLast((attempt) => attempt.response !== undefined)?.response;
  if (!response) return ['## Response', '', 'No answer was received.', ''];
  const { status, body, isBase64, isComplete } = response;
  const note = isComplete ? '' : ', and broke off';
  const kind = isBase64 ? ', not UTF-8, in base64' : '';
  return [
    '## Response',
    '',
    status === undefined
      ? `VS Code tells no status${note}. The parts as they came:`
      : `Status ${status}${kind}${note}. The body as it came:`,
    '',
    fence(cut(body, MAX_ANSWER)),
    '',
  ];
}

function expectedOf(run: ExportedRun): string[] {
  const calls = run.rescue?.calls ?? [];
  if (isText(run) && calls.length > 0) {
    const written = calls.slice(0, 20).map(({ name, arguments: value }) => ({
      type: 'function',
      function: { name, arguments: JSON.stringify(value) },
    }));
    const format = calls[0]?.format ?? '';
    return [
      '## Expected',
      '',
      `The text holds it in the format ${codeSpan(format)}, so it can be read. Expected in \`tool_calls\`:`,
      '',
      fence(JSON.stringify(written, null, 2), 'json'),
      '',
    ];
  }
  const names = run.tools.slice(0, 20).map(({ name }) => codeSpan(name));
  if (names.length === 0 || run.error) return ['## Expected', '', 'A complete reply.', ''];
  return ['## Expected', '', `A call of one of the tools that were sent: ${names.join(', ')}.`, ''];
}

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/, '') || '/';

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}\n… ${text.length - most} more characters` : text;
