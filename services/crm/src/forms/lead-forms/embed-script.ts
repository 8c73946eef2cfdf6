/**
 * Runs in a third-party page. Puts the form into a frame in place of its own script tag. Accepts messages only from the
 * frame itself and from the suite's origin. Sends messages about the page to the suite's origin only.
 */
export const EMBED_SCRIPT = `(() => {
  const tag = document.currentScript;
  if (!tag || !tag.src) return;
  const script = new URL(tag.src);
  const token = script.pathname.split('/').at(-2);
  const page = new URL(script.pathname.replace(/\\/embed\\.js$/, ''), script.origin);
  if (tag.dataset.lang) page.searchParams.set('lang', tag.dataset.lang);
  const frame = document.createElement('iframe');
  frame.title = tag.dataset.title || 'Form';
  frame.style.border = '0';
  frame.style.width = '100%';
  frame.style.height = '480px';
  frame.style.display = 'block';
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== script.origin || source !== frame.contentWindow) return;
    if (!data || data.suite_widget !== token) return;
    const { height, redirect } = data;
    if (Number.isFinite(height)) frame.style.height = Math.min(Math.max(height, 50), 10000) + 'px';
    if (typeof redirect === 'string' && /^https?:\\/\\//.test(redirect)) location.assign(redirect);
  });
  frame.addEventListener('load', () => {
    const about = { suite_widget: token, page_url: location.href, referrer: document.referrer };
    frame.contentWindow.postMessage(about, script.origin);
  });
  frame.src = page.href;
  tag.after(frame);
})();
`;
