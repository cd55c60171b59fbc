/**
 * The page's only script: the filters of the contract, and opening the check that a link points to. The page is whole
 * without it, so the filter form starts hidden. Kept as text because it runs in the browser, allowed by its hash.
 */
export const script = `
(() => {
  'use strict';
  const form = document.getElementById('filters');
  const checks = [...document.querySelectorAll('details.check')];
  if (form === null || checks.length === 0) return;
  const texts = new Map(checks.map((check) => [check, check.textContent.toLowerCase()]));
  const shown = document.getElementById('shown');

  function apply() {
    const data = new FormData(form);
    const verdicts = new Set(data.getAll('verdict'));
    const level = data.get('level');
    const differing = data.get('reference') === 'differs';
    const words = String(data.get('text')).toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const check of checks) {
      const fits =
        verdicts.has(check.dataset.verdict) &&
        (level === '' || check.dataset.level === level) &&
        (!differing || check.dataset.differs !== undefined) &&
        words.every((word) => texts.get(check).includes(word));
      check.hidden = !fits;
      if (fits) count += 1;
    }
    for (const section of document.querySelectorAll('section.operation')) {
      section.hidden = section.querySelector('details.check:not([hidden])') === null;
    }
    shown.textContent = count === checks.length ? 'all ' + count + ' shown' : count + ' of ' + checks.length + ' shown';
  }

  function target() {
    try {
      return document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return null;
    }
  }

  function reveal() {
    const check = target();
    if (check === null || !check.matches('details.check')) return;
    if (check.hidden || check.closest('section.operation').hidden) {
      form.reset();
      apply();
    }
    check.open = true;
    check.scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply, 0));
  document.getElementById('open-all').addEventListener('click', () => {
    const listed = checks.filter((check) => !check.hidden);
    const open = listed.some((check) => !check.open);
    for (const check of listed) check.open = open;
  });
  window.addEventListener('hashchange', reveal);
  apply();
  reveal();
})();
`;
