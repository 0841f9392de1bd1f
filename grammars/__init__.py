"""Line templates of the rooms, as data."""
