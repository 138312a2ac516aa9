"""The objects on an app's page with the real hub: a table that one pages, sorts, filters and edits."""

import pytest

from hub import eventually
from page import DESKTOP, wait_until
from parse_client import Parse
from pusher_app import App


@pytest.fixture
def app(hub_with_space):
    return App(hub_with_space)


@pytest.fixture
def master(app):
    return Parse(app.hub.port, app.told, master=True)


@pytest.fixture
def stranger(app):
    return Parse(app.hub.port, app.told)


def wait_rows(page, count):
    wait_until(page, f"document.querySelectorAll('.table-scroll tbody tr').length === {count}")


def column(page, place):
    return page.locator(f".table-scroll tbody tr > :nth-child({place})").all_inner_texts()


def test_objects_are_paged_sorted_filtered_edited_added_and_removed(open_page, app, master):
    requests = [{"method": "POST", "path": "/parse/classes/Game", "body": {"round": number, "state": "playing"}}
                for number in range(60)]
    made = master.ask("POST", "batch", {"requests": requests})
    ids = [one["success"]["objectId"] for one in made]
    page = open_page(viewport=DESKTOP)
    app.hub.sign_in_browser(page.context, "owner")
    page.goto(f"{app.hub.url}/apps/{app.id}")
    page.click(".class-tabs button:has-text('Game')")
    wait_rows(page, 50)
    assert page.locator(".table-scroll thead th").all_inner_texts()[1:3] == ["round Number", "state String"]
    page.click(".paging button:has-text('Next')")
    wait_rows(page, 10)
    page.click("thead button:has-text('round')")
    wait_until(page, "document.querySelector('.table-scroll tbody td')?.innerText === '0'")
    assert column(page, 2)[:3] == ["0", "1", "2"]
    page.select_option("[name=field]", "round")
    page.select_option("[name=operator]", "more")
    page.fill("[name=value]", "56")
    page.click(".object-filter button:has-text('Filter')")
    wait_rows(page, 3)
    assert column(page, 2) == ["57", "58", "59"]

    first = ".table-scroll tbody tr >> nth=0 >> button[aria-label^='round of']"
    page.click(first)
    page.fill(".editing input", "soon")
    page.press(".editing input", "Enter")
    page.wait_for_selector(".objects .form-error:has-text('A number such as 1234.5')")
    page.wait_for_selector(".editing input[aria-invalid=true][aria-describedby=object-problem]")
    page.press(".editing input", "Escape")
    page.wait_for_selector(".objects .form-error", state="hidden")
    page.click("td:has(> [aria-label^='round of'])")  # its middle
    page.fill(".editing input", "100")
    page.press(".editing input", "Enter")
    wait_until(page, "[...document.querySelectorAll('.table-scroll tbody td')].some((td) => td.innerText === '100')")
    assert master.get("Game", ids[57])["round"] == 100
    page.click("tbody button[aria-label^='Remove ']")
    page.click("dialog button:has-text('Remove it')")
    wait_rows(page, 2)
    page.click("summary:has-text('Add an object')")
    page.fill("[name=new-round]", "77")
    page.click("button:has-text('Add it')")
    wait_rows(page, 3)
    assert len(master.find("Game", limit=1000)) == 60


def test_a_cell_that_is_opened_and_left_changes_nothing_nor_the_next_one(open_page, app, master):
    note = master.create("Note", text="one\ntwo", round=1)
    before = master.get("Note", note)
    page = open_page(viewport=DESKTOP)
    app.hub.sign_in_browser(page.context, "owner")
    page.goto(f"{app.hub.url}/apps/{app.id}")
    page.click("button[aria-label^='text of']")
    assert page.input_value(".editing textarea") == "one\ntwo"
    # Two cells in a row: what is typed in the second stays when the first is saved.
    page.click("button[aria-label^='round of']")
    assert master.get("Note", note) == before
    page.fill(".editing input", "2")
    page.click("button[aria-label^='text of']")
    page.press(".editing textarea", "ControlOrMeta+End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("three")
    eventually(lambda: master.get("Note", note)["round"] == 2)
    page.wait_for_selector("button[aria-label='round of " + note + ": 2']")
    page.press(".editing textarea", "Enter")
    eventually(lambda: master.get("Note", note)["text"] == "one\ntwo\nthree")
    page.wait_for_selector(".table-scroll:not(:has(.editing))")


def test_what_is_typed_is_saved_also_when_its_row_goes_meanwhile(open_page, app, master):
    notes = [master.create("Note", round=number) for number in range(2)]
    page = open_page(viewport=DESKTOP)
    app.hub.sign_in_browser(page.context, "owner")
    page.goto(f"{app.hub.url}/apps/{app.id}")
    page.click(f"button[aria-label^='round of {notes[0]}']")
    page.fill(".editing input", "soon")
    page.press(".editing input", "Enter")
    page.click(f"button[aria-label^='round of {notes[1]}']")
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    eventually(lambda: master.get("Note", notes[1])["round"] == 110)
    # The other cell is still not saved, and says why.
    page.wait_for_selector(f"button[aria-label='round of {notes[1]}: 110']")
    page.wait_for_selector(".objects .form-error:has-text('A number such as 1234.5')")

    page.evaluate("""const ask = window.fetch;
      const held = new Promise((resolve) => { window.release = resolve; });
      window.fetch = async (...what) => {
        if (what[1]?.method === 'PUT') await held;
        return ask(...what);
      }; null""")
    page.fill(".editing input", "300")
    page.press(".editing input", "Enter")
    page.click(f"button[aria-label^='round of {notes[1]}']")
    page.fill(f"input[aria-label='round of {notes[1]}']", "400")
    page.click("thead button:has-text('round')")  # its row goes before it is its turn
    page.wait_for_selector("thead [aria-sort=ascending]")
    page.evaluate("release()")
    eventually(lambda: [master.get("Note", note)["round"] for note in notes] == [300, 400])


def test_on_a_phone_one_sees_whose_line_it_is_however_far_the_table_is_scrolled(open_page, app, master):
    note = master.create("Note", one="a" * 60, two="b")
    page = open_page()
    app.hub.sign_in_browser(page.context, "owner")
    page.goto(f"{app.hub.url}/apps/{app.id}")
    page.click(".views button:has-text('Objects')")
    wait_rows(page, 1)
    page.focus(f"button[aria-label^='two of {note}']")
    scroll = page.locator(".table-scroll")
    left, right = (page.locator(f".table-scroll tbody {one}").bounding_box() for one in ("th", "td:has(:focus)"))
    assert scroll.evaluate("(one) => one.scrollLeft") > 0
    assert left["x"] == scroll.bounding_box()["x"] and right["x"] >= left["x"] + left["width"] - 1


def test_a_class_gets_its_rules_and_permissions_on_the_page(open_page, app, master, stranger):
    page = open_page(viewport=DESKTOP)
    app.hub.sign_in_browser(page.context, "owner")
    page.goto(f"{app.hub.url}/apps/{app.id}")
    page.wait_for_selector(".objects .lines")
    page.fill("[name=className]", "Note")
    page.click("button:has-text('Add a class')")
    page.wait_for_selector(".class-tabs button[aria-pressed=true]:has-text('Note')")
    page.wait_for_selector(".paging:has-text('No object yet.')")
    page.click("summary:has-text('Fields, permissions and rules of Note')")
    for name, kind in (("text", "String"), ("thread", "→ Note")):
        page.fill("[name=fieldName]", name)
        page.select_option("[name=type]", kind)
        page.click("button:has-text('Add the field')")
        page.wait_for_selector(f"textarea[aria-label='Rule of {name}']")
    assert master.ask("GET", "schemas/Note")["fields"]["thread"] == {"type": "Pointer", "targetClass": "Note"}
    stranger.create("Note", text="Ahoy")
    page.reload()
    wait_rows(page, 1)
    page.click("summary:has-text('Fields, permissions and rules of Note')")
    page.fill("textarea[aria-label='Rule of text']", '{"maxLength": 5}')
    page.dblclick(".class-fields button:has-text('Save')")
    wait_until(page, "document.querySelector('textarea[name=json]').value === '{\"maxLength\":5}'")
    page.wait_for_selector(".class-fields .saved:has-text('Saved')")
    assert not page.is_visible(".objects > .note")
    assert stranger.code("POST", "classes/Note", {"text": "Ahoy there"}) == 142
    page.select_option("label:has-text('Create one') select", "nobody")
    eventually(lambda: stranger.code("POST", "classes/Note", {"text": "Ahoy"}) == 119)
    assert master.ask("GET", "schemas/Note")["fields"]["text"]["rules"] == {"maxLength": 5}
    # Changes in a row all count, and text that is typed in another part of the class stays.
    page.fill("textarea[aria-label='Rings']", "[{")
    page.eval_on_selector_all(".class-card .fields select", """(all) => all.slice(0, 2).forEach((one) => {
      one.value = 'users';
      one.dispatchEvent(new Event('change'));
    })""")

    signed_in = {"requiresAuthentication": True}

    def permissions():
        return master.ask("GET", "schemas/Note")["classLevelPermissions"]

    eventually(lambda: list(permissions().values()).count(signed_in) == 2)
    # Changes that somebody else has made since the page has looked stay, too.
    master.ask("PUT", "schemas/Note", {"classLevelPermissions": permissions() | {"delete": {}}})
    page.select_option("label:has-text('Read one') select", "users")
    eventually(lambda: permissions()["get"] == signed_in)
    assert permissions()["delete"] == {}
    assert page.input_value("textarea[aria-label='Rings']") == "[{"
    page.click("label.switch:has-text('Clients may create classes')")
    page.wait_for_selector(".options .saved:has-text('Saved')")
    assert stranger.code("POST", "classes/Another", {"text": "Ahoy"}) == 119


def test_a_class_is_emptied_and_removed_after_a_question_that_names_its_objects(open_page, app, master):
    for number in range(3):
        master.create("Note", round=number)
    page = open_page(viewport=DESKTOP)
    app.hub.sign_in_browser(page.context, "owner")
    page.goto(f"{app.hub.url}/apps/{app.id}")
    wait_rows(page, 3)
    page.select_option("[name=field]", "round")
    page.fill("[name=value]", "1")
    page.click(".object-filter button:has-text('Filter')")
    wait_rows(page, 1)
    page.click("summary:has-text('Fields, permissions and rules of Note')")
    page.click("button:has-text('Remove all objects')")
    page.wait_for_selector("dialog:has-text('The 3 objects in it are gone at once')")
    page.click("dialog button:has-text('Remove them')")
    page.wait_for_selector(".paging [role=status]:has-text('No object matches.')")
    assert master.find("Note") == []
    master.create("Note", round=3)
    page.click("button:has-text('Remove this class')")
    page.wait_for_selector("dialog:has-text('The one object in it is gone')")
    page.click("dialog button:has-text('Remove it')")
    page.wait_for_selector(".objects .lines")
    assert master.ask("GET", "schemas")["results"] == []
