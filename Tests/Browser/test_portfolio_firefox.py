"""Firefox keeps a portfolio: all of it is there after an update of the pages, and what was lost comes back."""

import pytest
from portfolio_page import INSIDE, LOSE, STATE, UPDATE, add_portfolio, paint_folder, switch_off

PICTURES = 9


@pytest.mark.timeout(360)
def test_an_update_of_the_pages_loses_nothing_in_firefox(firefox, hub_with_space, tmp_path):
    hub = hub_with_space
    owner = hub.sign_in("owner")
    add_portfolio(hub, owner, paint_folder(tmp_path / "pictures", {"Harbour mornings": 6, "Storm": 3}))
    firefox.open(f"{hub.url}/offline")
    name, _, value = owner["Cookie"].partition("=")
    firefox.cookie(name, value)

    def visit():
        firefox.open(f"{hub.url}/portfolio")
        firefox.wait(f"{STATE} === 'whole'", 40)

    visit()
    firefox.wait("navigator.serviceWorker.controller")
    firefox.wait("JSON.parse(localStorage.getItem('portfolio')).checked !== ''")
    assert firefox.run(f"return ({INSIDE})();") == [PICTURES, PICTURES, 2 * PICTURES]
    firefox.run(f"await ({LOSE})();")
    assert firefox.run(f"return ({INSIDE})();") == [PICTURES - 1, PICTURES - 2, 2 * PICTURES]
    switch_off(hub, "bells")
    firefox.run(f"await ({UPDATE})();")
    visit()
    firefox.wait("document.querySelector('.portfolio-note')?.innerText.includes('1 small, 2 large')")
    firefox.wait(f"{STATE} === 'whole'")
    assert firefox.run(f"return ({INSIDE})();") == [PICTURES, PICTURES, 2 * PICTURES]
    hub.kill()
    firefox.open(f"{hub.url}/portfolio")
    firefox.wait("document.querySelectorAll('.cell.is-there').length >= 6")
    assert firefox.run("""return [...document.querySelectorAll('.cell.is-there img')]
      .every((one) => one.naturalWidth > 0);""")
