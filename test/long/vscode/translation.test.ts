// Runs in a VS Code of another language, with a translation that marks each text: unmarked text must be a name or foreign text.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pseudoTranslation, untranslatedIn } from '../../support/texts/pseudo-translation';
import { Panel, runCommand, screenshot, stopAtFailure, Workbench } from '../../e2e/support';

const LANGUAGE = 'qps-ploc';

let workbench: Workbench;
let file: string | undefined;
let otherLanguage: Disposable;
let panel: Panel;

const page = () => workbench.page;
const marked = (text: string): string => `⟦${text}⟧`;

/** Writes a marked translation into the installed extension, where VS Code looks for it. @returns the path of the file */
function addTranslation(dataDir: string): string {
  const extensions = join(dataDir, 'extensions');
  const name = readdirSync(extensions).find((each) => each.startsWith('provider-playground.'));
  const folder = join(extensions, name ?? '', 'l10n');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `bundle.l10n.${LANGUAGE}.json`);
  writeFileSync(path, JSON.stringify(pseudoTranslation()));
  return path;
}

beforeAll(async () => {
  workbench = await Workbench.open({
    viewport: { width: 1500, height: 950 },
    settings: {
      'providerPlayground.connections': {
        home: { label: 'Home', provider: 'local-host', host: 'http://127.0.0.1:9' },
      },
    },
    beforeLoad: async (blank, dataDir) => {
      file = addTranslation(dataDir);
      // Makes VS Code believe that it runs in that language; it has no translated texts of its own for it.
      otherLanguage = await blank.addInitScript(
        `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => '${LANGUAGE}', set: () => {} });`,
      );
    },
  });
});
stopAtFailure(() => [page()]);
afterAll(async () => {
  await otherLanguage?.dispose();
  if (file) rmSync(file, { force: true });
  await workbench?.close();
});

/** Text that is not translated: names, keys, formats, words of JSON Schema and values; the first message; texts of the demo and the library. */
const NAMES =
  `Provider Playground|Demo (local protocol)|Demo (hosted protocol)|Demo (Messages protocol)|Demo (Responses protocol)|first-look|get_weather|search_flights|Ctrl|Enter|
  hermes-json|RawAssistant|content|toolCalls|finishReason|model|attempts|costUsd|auto|none|required|HTTP|JSON|ended by the server|429 is retried. The server asked for a wait of 1 s (Retry-After).|top_k|options|num_batch|string|number|integer|boolean|enum|array|Home|user|
  What is the weather in Oslo?|Get the current weather of a city.|Search flights between two cities on a day.|Let me look that up.|city|Oslo|celsius|unit|
  The server reads a call only in the format that the template of the model prescribes;|prints it.`
    .split(/\|\s*/)
    .toSorted((one, other) => other.length - one.length);

/** Untranslated texts and accessible names in an element, except code, values and typed text. */
async function untranslated(where: Locator): Promise<string[]> {
  const texts = await where.evaluate((root) => {
    const read: string[] = [];
    const walker = root.ownerDocument.createTreeWalker(root, 4); // text nodes
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (!parentElement?.closest('code, .mono, .is-data, .trace, .codicon, style'))
        read.push(textContent ?? '');
    }
    const said = [root, ...root.querySelectorAll('*')].flatMap((each) =>
      ['aria-label', 'title', 'placeholder'].map((name) => each.getAttribute(name) ?? ''),
    );
    return [read.join('\0'), ...said];
  });
  const found = texts.flatMap(untranslatedIn);
  return unknownIn(found);
}

/** Drops the known names, and rescue formats, which the library writes as `id: title`. */
function unknownIn(found: readonly string[]): string[] {
  return [...new Set(found)]
    .filter((text) => !/^[a-z\d-]+: /.test(text))
    .filter((text) => {
      const rest = NAMES.reduce((left, name) => left.replaceAll(name, ''), text);
      return /\p{L}{2,}/u.test(rest);
    });
}

describe('VS Code in another language', () => {
  it('translates the panel, before and after a run', async () => {
    await runCommand(page(), 'Provider Playground: Open Playground');
    panel = new Panel(page());
    await panel.frame.getByRole('region', { name: marked('Lane 1') }).waitFor();
    expect(await untranslated(panel.frame.locator('.app'))).toEqual([]);
    await panel.button(marked('Run')).click();
    await panel.button(marked('Give result')).waitFor();
    await screenshot(page(), 'translation-1-run');
    expect(await untranslated(panel.frame.locator('.app'))).toEqual([]);
  });

  it('translates the tabs of the inspector', async () => {
    for (const tab of ['Tool calls', 'Rescue', 'Attempts', 'Wire']) {
      await panel.frame.getByRole('tab', { name: marked(tab) }).click();
      await panel.frame.locator('.side h3').first().waitFor();
      expect(await untranslated(panel.frame.locator('.side'))).toEqual([]);
    }
    await screenshot(page(), 'translation-2-wire');
  });

  it('translates the lane settings, the Tools view and the Embeddings view', async () => {
    await panel.button(marked('Lane settings')).click();
    await panel.frame.getByRole('group', { name: marked('Settings of lane 1') }).waitFor();
    expect(await untranslated(panel.frame.locator('.settings'))).toEqual([]);
    for (const view of ['Tools', 'Embeddings']) {
      await panel.frame.getByRole('tab', { name: marked(view) }).click();
      await panel.frame
        .getByRole('heading', { name: marked(view === 'Tools' ? 'Tools' : 'Texts') })
        .waitFor();
      expect(await untranslated(panel.frame.locator('.app'))).toEqual([]);
      await screenshot(page(), `translation-3-${view}`);
    }
  });

  it('translates the Connections view', async () => {
    await runCommand(page(), 'Provider Playground: Focus on Connections View');
    const rows = page().getByRole('treeitem', { name: /^Home/ });
    await rows.first().waitFor();
    await expect.poll(() => rows.first().innerText()).toContain('⟦');
    await screenshot(page(), 'translation-4-connections');
    expect(unknownIn(untranslatedIn(await rows.first().innerText()))).toEqual([]);
  });

  it('translates dialogs and quick inputs', async () => {
    await runCommand(page(), 'Provider Playground: Clear History…');
    const dialog = page().locator('.monaco-dialog-box');
    await dialog.waitFor();
    await screenshot(page(), 'translation-5-dialog');
    expect(await untranslated(dialog.locator('.dialog-message-container'))).toEqual([]);
    await page().keyboard.press('Escape');
    await runCommand(page(), 'Provider Playground: Add Connection…');
    const title = page().locator('.quick-input-title', { hasText: '⟦' });
    await title.waitFor();
    await screenshot(page(), 'translation-6-steps');
    expect(await untranslated(title)).toEqual([]);
    await page().keyboard.press('Escape');
  });
});
