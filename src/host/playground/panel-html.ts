// The HTML of the webviews: one script, one style sheet, a strict content security policy, and the translation if
// there is one. Never contains model text. The script's nonce also covers the modules it imports.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export interface PageOptions {
  /** The page to show. */
  page: 'playground' | 'lab' | 'recording';
  /** Id that the page saves, so that a restored panel finds its scratch. */
  scratchId?: string | undefined;
}

export function panelHtml(
  webview: vscode.Webview,
  dist: vscode.Uri,
  { page, scratchId }: PageOptions,
): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // The nonce is for the style element that the toolkit adds, which reads it from the csp-nonce property.
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
  ].join('; ');
  const { bundle } = vscode.l10n;
  return `<!doctype html>
<html lang="${bundle ? vscode.env.language : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="page" content="${page}">
${scratchId === undefined ? '' : `<meta name="scratch" content="${scratchId}">`}
${bundle ? `<meta name="translation" content="${escapeAttribute(JSON.stringify(bundle))}">` : ''}
<link rel="stylesheet" href="${uri('webview.css')}">
<link rel="modulepreload" nonce="${nonce}" href="${uri('webview-chunk.js')}">
<title>Provider Playground</title>
</head>
<body>
<script type="module" nonce="${nonce}" src="${uri('webview.js')}"></script>
</body>
</html>`;
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
