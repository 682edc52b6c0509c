// Dialogs that let the user choose tools to import, and their results. Changes no document.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ToolLibraries } from '../../connections';
import type { DocumentTool } from '../../protocol';
import type { ImportedTools, SkippedTool } from '../../session';
import { pickMany, pickOne } from '../dialogs';
import { toLabel } from '../../inspect';
import { loadEngine } from '../load-engine';
import { listEditorTools } from './editor-tools';
import type { Incoming } from './plan-import';
import { listNames } from './plan-import';
import { readTextFile } from './read-text-file';

export interface Found {
  incoming: Incoming[];
  skipped: SkippedTool[];
  /** Whether the editor can run these tools. */
  isOfEditor?: boolean;
}

export interface ImportServices {
  libraries: Pick<ToolLibraries<unknown>, 'list'>;
  sessionId: string;
  /** What the tools are chosen for, as the title of the dialogs. */
  title: string;
  /** Open playgrounds whose tools can be chosen. @default none */
  playgrounds?: readonly PlaygroundChoice[];
}

export interface PlaygroundChoice {
  title: string;
  /** Tools with their references resolved. */
  tools: readonly DocumentTool[];
}

/** @returns undefined when the user cancelled. */
type ImportSource = (services: ImportServices) => Promise<Found | undefined>;

interface Item<T> extends vscode.QuickPickItem {
  value: T;
}

/** Asks for a source and then for its tools. @returns undefined when the user cancelled. */
export async function chooseTools(services: ImportServices): Promise<Found | undefined> {
  const items: Item<ImportSource>[] = [
    ...(services.playgrounds ?? []).map(({ title, tools }) => ({
      label: t('From the playground {0}', title),
      description: listNames(tools.map(({ name }) => name)),
      value: () => Promise.resolve({ incoming: tools.map((tool) => ({ tool })), skipped: [] }),
    })),
    {
      label: t('From the clipboard'),
      detail: t('A list of tools, a request with tools, or a curl command with one'),
      value: readClipboard,
    },
    { label: t('From a file…'), value: readChosenFile },
    ...(listEditorTools()
      ? [{ label: t('Tools of the editor (also of MCP servers)'), value: chooseEditorTools }]
      : []),
    {
      label: t('From a tool library'),
      detail: t('The playground refers to the tool, which stays in its library'),
      value: chooseLibraryTools,
    },
  ];
  const picked = await pickOne(items, { title: services.title });
  return picked?.value(services);
}

async function readClipboard(): Promise<Found> {
  return readText(await vscode.env.clipboard.readText(), t('The text of the clipboard'));
}

async function readChosenFile({ title }: ImportServices): Promise<Found | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      filters: { JSON: ['json', 'jsonc'], [t('All files')]: ['*'] },
    })) ?? [];
  if (!uri) return undefined;
  const what = uri.path.split('/').at(-1) ?? '';
  try {
    return await readText(await readTextFile(uri), what);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { incoming: [], skipped: [{ what, why: t('could not be read: {0}', reason) }] };
  }
}

async function readText(text: string, what: string): Promise<Found> {
  const { importToolsFromText } = await loadEngine();
  const { problem, ...imported } = importToolsFromText(text);
  const why = t('cannot be read: {0}', problem?.replace(/\.$/, '') ?? '');
  return problem === undefined ? toFound(imported) : { incoming: [], skipped: [{ what, why }] };
}

async function chooseEditorTools({ title }: ImportServices): Promise<Found | undefined> {
  const { importTools, toolNameProblem } = await loadEngine();
  const tools = listEditorTools() ?? [];
  if (tools.length === 0) {
    const why = t('has no tools yet; the tools of an MCP server appear once it has been started');
    return { incoming: [], skipped: [{ what: t('The editor'), why }] };
  }
  const items = tools.map((tool): Item<object> => {
    const { name, description, inputSchema, tags } = tool;
    const problem = toolNameProblem(name);
    return {
      label: toLabel(name),
      ...describeItem(description, [...tags, ...(problem === undefined ? [] : [`⚠ ${problem}`])]),
      value: { name, description, ...(inputSchema && { inputSchema }) },
    };
  });
  const picked = await pickTools(items, title);
  return picked && { ...toFound(importTools({ tools: picked })), isOfEditor: true };
}

async function chooseLibraryTools({
  libraries,
  sessionId,
  title,
}: ImportServices): Promise<Found | undefined> {
  const { toolNameProblem } = await loadEngine();
  const { tools, problems } = await libraries.list(sessionId);
  // Each problem is a sentence of its own, so its period is removed here.
  const skipped = problems.map((problem) => ({ what: problem.replace(/\.$/, ''), why: '' }));
  if (tools.length === 0) {
    const none = { what: t('No tool library'), why: t('has a tool; “Edit User Tool Library” makes one') };
    return { incoming: [], skipped: skipped.length > 0 ? skipped : [none] };
  }
  const items = tools.map(({ reference, tool, library }): Item<Incoming> => {
    const problem = toolNameProblem(tool.name);
    const notes = [library, ...(problem === undefined ? [] : [`⚠ ${problem}`])];
    return {
      label: toLabel(tool.name),
      ...describeItem(tool.description, notes),
      value: { tool, reference },
    };
  });
  const incoming = await pickTools(items, title);
  return incoming && { incoming, skipped };
}

function describeItem(description: string | undefined, notes: readonly string[]) {
  const line = (description ?? '').slice(0, 1_000).replaceAll(/\s+/g, ' ').trim();
  return { description: toLabel(line, 200), detail: toLabel(notes.join(' · '), 400) };
}

async function pickTools<T>(items: Item<T>[], title: string): Promise<T[] | undefined> {
  const picked = await pickMany(items, {
    title,
    placeHolder: t('Choose one or more'),
  });
  return picked && picked.length > 0 ? picked.map(({ value }) => value) : undefined;
}

const toFound = ({ tools, skipped }: ImportedTools): Found => ({
  incoming: tools.map((tool) => ({ tool })),
  skipped,
});
