/**
 * The page's only script: the filters of the contract, which stand in the address so that what is shown can be passed
 * on, and opening the check that a link points to. The page is whole
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
  const folds = [...document.querySelectorAll('details.quiet')];

  function apply() {
    const data = new FormData(form);
    const verdicts = new Set(data.getAll('verdict'));
    const level = data.get('level');
    const differing = data.get('reference') === 'differs';
    const change = data.get('change') ?? '';
    const words = String(data.get('text')).toLowerCase().split(/\\s+/).filter((word) => word !== '');
    let count = 0;
    for (const check of checks) {
      const fits =
        verdicts.has(check.dataset.verdict) &&
        (level === '' || check.dataset.level === level) &&
        (!differing || check.dataset.differs !== undefined) &&
        (change === '' || check.dataset.change === change) &&
        words.every((word) => texts.get(check).includes(word));
      check.hidden = !fits;
      if (fits) count += 1;
    }
    const filtered = count < checks.length;
    for (const fold of folds) {
      fold.hidden = fold.querySelector('details.check:not([hidden])') === null;
      fold.open = filtered || fold.contains(target());
    }
    for (const section of document.querySelectorAll('section.operation')) {
      section.hidden = section.querySelector('details.check:not([hidden])') === null;
    }
    shown.textContent = count === checks.length ? 'all ' + count + ' shown' : count + ' of ' + checks.length + ' shown';
  }

  const boxes = [...form.querySelectorAll('input[name=verdict]')];
  const fields = ['level', 'reference', 'change', 'text'].map((name) => form.elements[name]).filter(Boolean);

  /** Only what is not as the page begins; none of the verdicts is an empty one. */
  function remember() {
    const state = new URLSearchParams();
    if (boxes.some((box) => !box.checked)) {
      const checked = boxes.filter((box) => box.checked);
      for (const box of checked) state.append('verdict', box.value);
      if (checked.length === 0) state.append('verdict', '');
    }
    for (const field of fields) if (field.value !== '') state.set(field.name, field.value);
    const query = state.toString();
    try {
      history.replaceState(null, '', (query === '' ? location.pathname : '?' + query) + location.hash);
    } catch {
      // Some places that show a page don't let it change its address.
    }
  }

  function recall() {
    const state = new URLSearchParams(location.search);
    const wanted = state.getAll('verdict');
    if (wanted.length > 0) for (const box of boxes) box.checked = wanted.includes(box.value);
    for (const field of fields) {
      const value = state.get(field.name) ?? '';
      const possible = field.options === undefined || [...field.options].some((option) => option.value === value);
      if (possible) field.value = value;
    }
  }

  function change() {
    apply();
    remember();
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
      change();
    }
    const fold = check.closest('details.quiet');
    if (fold !== null) fold.open = true;
    check.open = true;
    check.scrollIntoView();
  }

  form.hidden = false;
  recall();
  form.addEventListener('input', change);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(change, 0));
  document.getElementById('open-all').addEventListener('click', () => {
    const listed = checks.filter((check) => !check.hidden);
    const open = listed.some((check) => !check.open);
    for (const check of listed) check.open = open;
    for (const fold of folds) fold.open = open;
  });
  // Going back brings the address of before, and with it what it was filtered by.
  window.addEventListener('hashchange', () => {
    recall();
    apply();
    reveal();
  });
  apply();
  reveal();
})();
`;
