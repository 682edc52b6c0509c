// Runs the one command of the product that a person would run first; as soon as it can, hence the `*` in the manifest.
const vscode = require('vscode');

exports.activate = () => vscode.commands.executeCommand('providerPlayground.openPlayground');
