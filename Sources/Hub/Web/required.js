// Fields that have to be filled in say so by `aria-required`: Firefox calls an empty `required` one wrong to those who
// hear it, before anything is typed. They become `required` when their form is to be sent, and the browser says what is
// missing.

function demand(form, isSending) {
  for (const one of form.elements) {
    if (one.hasAttribute('aria-required')) one.required = isSending && one.getAttribute('aria-required') === 'true';
  }
}

// Enter in a field clicks the form's button, too.
addEventListener('click', ({ target }) => {
  const button = target.closest?.('button');
  if (button?.form && button.type === 'submit') demand(button.form, true);
}, true);
addEventListener('submit', ({ target }) => demand(target, false), true); // it may be emptied for the next one
