// A tool that returns what it was asked, so that a test can see that it really ran.
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const invoke = ({ input }) => {
    const text = JSON.stringify({ station: `${input.city}-Blindern` });
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  };
  subscriptions.push(vscode.lm.registerTool('find_station', { invoke }));
};
