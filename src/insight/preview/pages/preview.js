// What a preview does beyond its form: sliders, options to drag, and conditions that take effect at
// once. Without it, the form does the same with its buttons.
'use strict';

(() => {
  const form = document.querySelector('form');
  const questions = document.getElementById('questions');

  /** Puts a slider beside a number, which stays what is sent. */
  function addSlider(number) {
    const { min, max, step } = number.dataset;
    const range = document.createElement('input');
    Object.assign(range, { type: 'range', min, max, step, value: number.value || min });
    range.setAttribute('aria-labelledby', number.getAttribute('aria-labelledby'));
    range.addEventListener('input', () => {
      number.value = range.value;
    });
    number.addEventListener('input', () => {
      range.value = number.value;
    });
    number.before(range);
  }

  /** Lets the options of a ranking be moved by keys, and dragged. */
  function addHandles(list) {
    const status = document.createElement('p');
    status.className = 'unseen';
    status.setAttribute('role', 'status');
    list.after(status);
    const rankOf = (item) => Number(item.querySelector('.rank').value) || Infinity;

    const number = (moved) => {
      [...list.children].forEach((item, index) => {
        item.querySelector('.rank').value = index < list.dataset.most ? index + 1 : '';
        if (item === moved) {
          status.textContent = `${index + 1}. ${item.querySelector('span').textContent}`;
        }
      });
    };
    const sort = () => {
      [...list.children]
        .sort((a, b) => rankOf(a) - rankOf(b) || 0)
        .forEach((item) => {
          list.append(item);
        });
    };

    for (const item of list.children) {
      const handle = document.createElement('button');
      handle.type = 'button';
      handle.className = 'handle';
      handle.textContent = '↕';
      const name = item.querySelector('span').textContent;
      handle.setAttribute('aria-label', `${name}: ${list.dataset.move}`);
      handle.title = list.dataset.move;
      // The neighbour moves, so that the option keeps the focus and the pointer.
      const move = (isDown) => {
        const other = isDown ? item.nextElementSibling : item.previousElementSibling;
        if (other) {
          item[isDown ? 'before' : 'after'](other);
          number(item);
        }
      };
      handle.addEventListener('keydown', (event) => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          move(event.key === 'ArrowDown');
        }
      });
      handle.addEventListener('pointerdown', (event) => {
        handle.setPointerCapture(event.pointerId);
        item.classList.add('moving');
      });
      handle.addEventListener('pointermove', ({ clientY }) => {
        const isMoving = item.classList.contains('moving');
        const { previousElementSibling: before, nextElementSibling: after } = item;
        if (isMoving && before && clientY < before.getBoundingClientRect().bottom) {
          move(false);
        } else if (isMoving && after && clientY > after.getBoundingClientRect().top) {
          move(true);
        }
      });
      for (const end of ['pointerup', 'pointercancel']) {
        handle.addEventListener(end, () => {
          item.classList.remove('moving');
        });
      }
      item.querySelector('.rank').addEventListener('change', sort);
      item.append(handle);
    }
    sort();
  }

  function enhance(part) {
    part.querySelectorAll('input[data-step]').forEach(addSlider);
    part.querySelectorAll('.ranking').forEach(addHandles);
    part.querySelectorAll('.other').forEach((text) => {
      text.addEventListener('input', () => {
        const box = text.parentElement.querySelector('[type=radio], [type=checkbox]');
        box.checked = text.value !== '' || box.checked;
      });
    });
  }

  /** What tells the options and rows of a question from others. */
  function controlsIn(question) {
    return [...question.querySelectorAll('input[name]')]
      .map(({ name, type, value }) => `${name} ${type === 'text' ? '' : value}`)
      .sort()
      .join();
  }

  /** Asks the service which questions the answers on this page show, and shows them. */
  let last;
  async function update() {
    last?.abort();
    last = new AbortController();
    const { signal } = last;
    const body = new URLSearchParams(new FormData(form));
    body.set('step', 'show');
    const response = await fetch(location.href, { method: 'POST', body, signal });
    if (!response.ok) {
      return;
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) {
      return;
    }
    const fresh = [...page.getElementById('questions').children];
    const kept = new Set(fresh.map(({ id }) => id));
    for (const question of [...questions.children]) {
      if (!kept.has(question.id)) {
        question.remove();
      }
    }
    let next = questions.firstElementChild;
    for (const question of fresh) {
      if (next?.id === question.id && controlsIn(next) !== controlsIn(question)) {
        const changed = next;
        next = next.nextElementSibling;
        changed.replaceWith(document.adoptNode(question));
        enhance(question);
      } else if (next?.id === question.id) {
        const text = next.querySelector('.text');
        text.textContent = question.querySelector('.text').textContent;
        next = next.nextElementSibling;
      } else {
        questions.insertBefore(document.adoptNode(question), next);
        enhance(question);
      }
    }
    document.getElementById('carried').replaceWith(page.getElementById('carried'));
  }

  enhance(questions);
  if (questions.dataset.live !== undefined) {
    questions.addEventListener('change', () => {
      update().catch((error) => {
        if (error.name !== 'AbortError') {
          throw error;
        }
      });
    });
  }
  document.querySelector('.language select')?.addEventListener('change', () => {
    form.requestSubmit(document.querySelector('.language button'));
  });
})();
