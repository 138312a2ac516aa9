"""Several hubs with the same records, blobs and bus."""


def several(make_hub, store, bus, folder, *options, names=("one", "other")):
    """Running hubs; only the first is set up, and the others know."""
    blobs = folder / "blobs"
    blobs.mkdir(exist_ok=True)
    hubs = [
        make_hub(name, options=["--store", store, "--blobs", blobs, "--bus", bus.url, *options]) for name in names]
    first, *others = hubs
    first.configure()
    for hub in others:
        hub.owner_token, hub.keykeeper_token = first.owner_token, first.keykeeper_token
    return hubs


def holders(postgres, store):
    """The hub that does each work: {name of the work: the hub's id among the members}."""
    lines = postgres.ask(
        "SELECT name, hub FROM hub_leases WHERE until > extract(epoch FROM clock_timestamp())", store).splitlines()
    return dict(line.split("|") for line in lines)
