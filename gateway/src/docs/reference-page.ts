/** Page of the API reference: HTML, script and content security policy. */

/** HTML page at `/docs`. Scalar renders its contents. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * Replaces Scalar's pale colours to reach the WCAG contrast of 4.5:1. Repeating a class gives a rule precedence over
 * Scalar's own rule.
 */
const COLOURS = [
  '.light-mode.light-mode { --scalar-color-2: #565656; --scalar-color-3: #646464; --scalar-color-green: #00704a; ' +
    '--scalar-color-blue: #0062a8; --scalar-color-red: #b8102a; --scalar-color-orange: #9a4500; ' +
    '--scalar-color-yellow: #725600; --scalar-color-purple: #6338a0; --scalar-sidebar-search-color: #646464; }',
  '.dark-mode.dark-mode { --scalar-color-2: #b4b4b4; --scalar-color-3: #a0a0a0; --scalar-color-red: #ff7b7b; ' +
    '--scalar-sidebar-search-color: #a0a0a0; }',
].join(' ');

/** Makes Enter open the first search result. Scalar itself opens only a result selected with the arrow keys. */
export const START_SCRIPT = `Scalar.createApiReference('#app', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  customCss: '${COLOURS}',
});

addEventListener(
  'keydown',
  ({ key, isComposing, target }) => {
    if (key !== 'Enter' || isComposing || target.getAttribute('role') !== 'combobox') return;
    const results = document.getElementById(target.getAttribute('aria-controls'));
    if (!results || target.getAttribute('aria-activedescendant')) return;
    results.querySelector('[role="option"]')?.click();
  },
  true,
);
`;

/**
 * Scalar sets styles at run time, which requires 'unsafe-inline'. Scripts and connections are limited to this origin.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
